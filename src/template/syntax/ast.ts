/** The tree of a template: jinja's nodes, which the reference's analyses of templates are about. */
import type { Value } from '../values/value.ts';

interface At {
  /** Line of the template, from 1. */
  readonly line: number;
}

/** How a name is used: read, assigned, or bound as a parameter. */
export type NameUse = 'load' | 'store' | 'param';

export interface Name extends At {
  readonly kind: 'Name';
  readonly name: string;
  readonly use: NameUse;
}
export interface NamespaceTarget extends At {
  readonly kind: 'NamespaceTarget';
  readonly name: string;
  readonly attribute: string;
}
export interface Const extends At {
  readonly kind: 'Const';
  readonly value: Value;
}
export interface TemplateData extends At {
  readonly kind: 'TemplateData';
  readonly data: string;
}
interface TupleNode extends At {
  readonly kind: 'Tuple';
  readonly items: readonly Expression[];
}
interface ListNode extends At {
  readonly kind: 'List';
  readonly items: readonly Expression[];
}
export interface DictNode extends At {
  readonly kind: 'Dict';
  readonly items: readonly { readonly key: Expression; readonly value: Expression }[];
}
export interface Conditional extends At {
  readonly kind: 'Conditional';
  readonly test: Expression;
  readonly yes: Expression;
  readonly no: Expression | undefined;
}

export interface Keyword {
  readonly key: string;
  readonly value: Expression;
}
export interface CallArguments {
  readonly args: readonly Expression[];
  readonly keywords: readonly Keyword[];
  readonly rest: Expression | undefined;
  readonly restKeywords: Expression | undefined;
}
/** `target` is undefined in a filter block: the filter takes the block's text. */
export interface Filter extends At, CallArguments {
  readonly kind: 'Filter';
  readonly target: Expression | undefined;
  readonly name: string;
}
export interface Test extends At, CallArguments {
  readonly kind: 'Test';
  readonly target: Expression;
  readonly name: string;
}
export interface Call extends At, CallArguments {
  readonly kind: 'Call';
  readonly callee: Expression;
}
export interface Getattr extends At {
  readonly kind: 'Getattr';
  readonly object: Expression;
  readonly name: string;
}
export interface Getitem extends At {
  readonly kind: 'Getitem';
  readonly object: Expression;
  readonly key: Expression;
}
export interface SliceNode extends At {
  readonly kind: 'Slice';
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}
export interface Concat extends At {
  readonly kind: 'Concat';
  readonly items: readonly Expression[];
}
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';
export interface Compare extends At {
  readonly kind: 'Compare';
  readonly left: Expression;
  readonly operands: readonly { readonly operator: Comparison; readonly right: Expression }[];
}
export interface Binary extends At {
  readonly kind: 'Binary';
  readonly operator: '+' | '-' | '*' | '/' | '//' | '%' | '**';
  readonly left: Expression;
  readonly right: Expression;
}
export interface Logical extends At {
  readonly kind: 'Logical';
  readonly operator: 'and' | 'or';
  readonly left: Expression;
  readonly right: Expression;
}
export interface Unary extends At {
  readonly kind: 'Unary';
  readonly operator: 'not' | '-' | '+';
  readonly operand: Expression;
}

export type Expression =
  | Name
  | NamespaceTarget
  | Const
  | TemplateData
  | TupleNode
  | ListNode
  | DictNode
  | Conditional
  | Filter
  | Test
  | Call
  | Getattr
  | Getitem
  | SliceNode
  | Concat
  | Compare
  | Binary
  | Logical
  | Unary;

export interface Output extends At {
  readonly kind: 'Output';
  readonly items: readonly Expression[];
}
export interface For extends At {
  readonly kind: 'For';
  readonly target: Expression;
  readonly iterable: Expression;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
  readonly test: Expression | undefined;
  readonly recursive: boolean;
}
export interface If extends At {
  readonly kind: 'If';
  readonly test: Expression;
  readonly body: readonly Statement[];
  readonly elifs: readonly If[];
  readonly otherwise: readonly Statement[];
}
/** What macros and call blocks share: parameters, the defaults of the last of them, and the text they render. */
export interface Callee {
  readonly parameters: readonly Name[];
  readonly defaults: readonly Expression[];
  readonly body: readonly Statement[];
}
export interface Macro extends At, Callee {
  readonly kind: 'Macro';
  readonly name: string;
}
/** `call` is undefined for a `generation` block, whose text is marked as the model's. */
export interface CallBlock extends At, Callee {
  readonly kind: 'CallBlock';
  readonly call: Call | undefined;
}
export interface FilterBlock extends At {
  readonly kind: 'FilterBlock';
  readonly filter: Filter;
  readonly body: readonly Statement[];
}
export interface With extends At {
  readonly kind: 'With';
  readonly targets: readonly Expression[];
  readonly values: readonly Expression[];
  readonly body: readonly Statement[];
}
export interface Block extends At {
  readonly kind: 'Block';
  readonly name: string;
  readonly body: readonly Statement[];
  readonly scoped: boolean;
  readonly required: boolean;
}
/** `include`, `import`, `from … import` or `extends`: parsed, so that templates which never come to it work; refused when it runs. */
export interface Load extends At {
  readonly kind: 'Load';
  readonly tag: 'include' | 'import' | 'from' | 'extends';
  readonly template: Expression;
  readonly names: readonly string[];
}
export interface Assign extends At {
  readonly kind: 'Assign';
  readonly target: Expression;
  readonly value: Expression;
}
export interface AssignBlock extends At {
  readonly kind: 'AssignBlock';
  readonly target: Expression;
  readonly filter: Filter | undefined;
  readonly body: readonly Statement[];
}
export interface Autoescape extends At {
  readonly kind: 'Autoescape';
  readonly enabled: Expression;
  readonly body: readonly Statement[];
}
export interface LoopControl extends At {
  readonly kind: 'LoopControl';
  readonly control: 'break' | 'continue';
}

export type Statement =
  | Output
  | For
  | If
  | Macro
  | CallBlock
  | FilterBlock
  | With
  | Block
  | Load
  | Assign
  | AssignBlock
  | Autoescape
  | LoopControl;

export type Node = Expression | Statement;
