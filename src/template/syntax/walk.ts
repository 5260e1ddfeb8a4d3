import type { CallArguments, Expression, Node } from './ast.ts';

function callChildren(call: CallArguments): (Expression | undefined)[] {
  return [...call.args, ...call.keywords.map(({ value }) => value), call.rest, call.restKeywords];
}

function allChildren(node: Node): readonly (Node | undefined)[] {
  switch (node.kind) {
    case 'Name':
    case 'NamespaceTarget':
    case 'Const':
    case 'TemplateData':
    case 'LoopControl':
      return [];
    case 'Tuple':
    case 'List':
    case 'Concat':
    case 'Output':
      return node.items;
    case 'Dict':
      return node.items.flatMap(({ key, value }) => [key, value]);
    case 'Conditional':
      return [node.test, node.yes, node.no];
    case 'Filter':
    case 'Test':
      return [node.target, ...callChildren(node)];
    case 'Call':
      return [node.callee, ...callChildren(node)];
    case 'Getattr':
      return [node.object];
    case 'Getitem':
      return [node.object, node.key];
    case 'Slice':
      return [node.start, node.stop, node.step];
    case 'Compare':
      return [node.left, ...node.operands.map(({ right }) => right)];
    case 'Binary':
    case 'Logical':
      return [node.left, node.right];
    case 'Unary':
      return [node.operand];
    case 'For':
      return [node.target, node.iterable, ...node.body, ...node.otherwise, node.test];
    case 'If':
      return [node.test, ...node.body, ...node.elifs, ...node.otherwise];
    case 'Macro':
      return [...node.parameters, ...node.defaults, ...node.body];
    case 'CallBlock':
      return [node.call, ...node.parameters, ...node.defaults, ...node.body];
    case 'FilterBlock':
      return [...node.body, node.filter];
    case 'With':
      return [...node.targets, ...node.values, ...node.body];
    case 'Block':
      return node.body;
    case 'Load':
      return [node.template];
    case 'Assign':
      return [node.target, node.value];
    case 'AssignBlock':
      return [node.target, node.filter, ...node.body];
    default:
      return [node.enabled, ...node.body];
  }
}

/** @returns the nodes right below this one, in jinja's order of their fields. */
export function childNodes(node: Node): Node[] {
  return allChildren(node).filter((child) => child !== undefined);
}

/** Yields every node below those given, each before what is below it. */
export function* descendants(nodes: readonly Node[]): Generator<Node> {
  const open = nodes.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    open.push(...childNodes(node).reverse());
  }
}
