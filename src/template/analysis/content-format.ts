/**
 * Whether a template goes through the parts of a message's content. Decided on the tree alone, as the reference (vLLM's `auto` content
 * format) does: which names stand for the messages, which loops go through them, and whether any loop goes through their content.
 */
import type { Expression, Node, Statement } from '../syntax/ast.ts';
import { descendants } from '../syntax/walk.ts';

/** How messages are handed to the template: content as text, or as a list of parts as in OpenAI's API. */
export type ContentFormat = 'string' | 'openai';

type ForNode = Extract<Statement, { kind: 'For' }>;
type AssignNode = Extract<Statement, { kind: 'Assign' }>;

function nodesOf<Kind extends Node['kind']>(nodes: readonly Node[], kind: Kind): Extract<Node, { kind: Kind }>[] {
  return [...descendants(nodes)].filter((node): node is Extract<Node, { kind: Kind }> => node.kind === kind);
}

/** `name` reads the variable; a dotted name is an attribute of one, like `ns.rest`. */
function isVariable(node: Expression, name: string): boolean {
  if (node.kind === 'Name') return node.use === 'load' && node.name === name;
  const dot = name.lastIndexOf('.');
  return node.kind === 'Getattr' && dot >= 0 && node.name === name.slice(dot + 1) && isVariable(node.object, name.slice(0, dot));
}

function isMember(node: Expression, name: string, key: string): boolean {
  if (node.kind === 'Getitem') return isVariable(node.object, name) && node.key.kind === 'Const' && node.key.value === key;
  return node.kind === 'Getattr' && node.name === key && isVariable(node.object, name);
}

/** The variable (or its member `key`) itself, or what filters, tests and slices leave of it. */
function stemsFrom(node: Expression, name: string, key?: string): boolean {
  if (node.kind === 'Filter') return node.target !== undefined && stemsFrom(node.target, name, key);
  if (node.kind === 'Test') return stemsFrom(node.target, name, key);
  if (node.kind === 'Getitem' && node.key.kind === 'Slice') return stemsFrom(node.object, name, key);
  return key === undefined ? isVariable(node, name) : isMember(node, name, key);
}

/** Names that an assignment makes stand for `source`: its target, or attributes of a namespace. */
function aliasesOf({ target, value }: AssignNode, source: string): string[] {
  if (target.kind === 'NamespaceTarget') return stemsFrom(value, source) ? [`${target.name}.${target.attribute}`] : [];
  if (target.kind !== 'Name') return [];
  if (stemsFrom(value, source)) return [target.name];
  if (value.kind !== 'Call' || value.callee.kind !== 'Name' || value.callee.name !== 'namespace') return [];
  return value.keywords.filter((keyword) => stemsFrom(keyword.value, source)).map((keyword) => `${target.name}.${keyword.key}`);
}

/** @returns all names that stand for the messages, or for a part of them. */
function messagesNames(body: readonly Statement[]): Set<string> {
  const names = new Set(['messages']);
  const assignments = nodesOf(body, 'Assign');
  // A set is gone through in order of insertion, what is added on the way included.
  for (const name of names) for (const assignment of assignments) for (const alias of aliasesOf(assignment, name)) names.add(alias);
  return names;
}

/** A loop over several names at once is more than the detection understands. */
class UnclearLoop extends Error {}

function loopName(loop: ForNode): string {
  if (loop.target.kind !== 'Name') throw new UnclearLoop();
  return loop.target.name;
}

/** @returns the names of single messages: those of the loops over them. */
function messageNames(body: readonly Statement[]): string[] {
  const messages = [...messagesNames(body)];
  return nodesOf(body, 'For')
    .filter((loop) => messages.some((name) => stemsFrom(loop.iterable, name)))
    .map(loopName);
}

/** The parameters of each macro that some call hands a message's content to, for the loops inside the macro. */
function contentParameters(body: readonly Statement[], messages: readonly string[]): Map<ForNode, ReadonlySet<string>> {
  const byLoop = new Map<ForNode, ReadonlySet<string>>();
  const calls = nodesOf(body, 'Call');
  const isContent = (node: Expression): boolean => messages.some((name) => stemsFrom(node, name, 'content'));
  for (const macro of nodesOf(body, 'Macro')) {
    const own = macro.parameters.map(({ name }) => name);
    const parameters = new Set<string>();
    for (const { callee, args, keywords } of calls) {
      if (callee.kind !== 'Name' || callee.name !== macro.name) continue;
      for (const [index, arg] of args.entries()) if (own[index] !== undefined && isContent(arg)) parameters.add(own[index]);
      for (const { key, value } of keywords) if (own.includes(key) && isContent(value)) parameters.add(key);
    }
    // A macro without such parameters leaves to its loops what a macro around it found.
    for (const loop of nodesOf(macro.body, 'For')) byLoop.set(loop, parameters.size > 0 ? parameters : (byLoop.get(loop) ?? parameters));
  }
  return byLoop;
}

function goesThroughContent(body: readonly Statement[]): boolean {
  const messages = messageNames(body);
  const parameters = contentParameters(body, messages);
  for (const loop of nodesOf(body, 'For')) {
    const { iterable } = loop;
    const inMacro = parameters.get(loop);
    const overContent = messages.some((name) => stemsFrom(iterable, name, 'content'));
    const overName = iterable.kind === 'Name' && (inMacro === undefined ? iterable.name === 'content' : inMacro.has(iterable.name));
    if (!overContent && !overName) continue;
    loopName(loop);
    return true;
  }
  return false;
}

/** @returns the format of message content that the template expects; `string` where that is unclear. */
export function detectContentFormat(body: readonly Statement[]): ContentFormat {
  try {
    return goesThroughContent(body) ? 'openai' : 'string';
  } catch (error) {
    if (error instanceof UnclearLoop) return 'string';
    throw error;
  }
}
