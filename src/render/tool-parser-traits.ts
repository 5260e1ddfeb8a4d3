import type { Vocabulary } from '../core/vocabulary.ts';
import { glm47, hyV4 } from './structural-tags/argument-pairs.ts';
import { harmony } from './structural-tags/harmony.ts';
import { kimiK3 } from './structural-tags/kimi-k3.ts';
import {
  deepseekV3,
  deepseekV31,
  deepseekV32,
  deepseekV4,
  deepseekV41,
  hermes,
  kimi,
  llama,
  longcat,
  mimo,
  minimax,
  plamo3,
  qwen3Coder,
} from './structural-tags/tool-formats.ts';
import type { ToolGrammar } from './structural-tags/tool-formats.ts';

/** How far the server goes in constraining calls: as the request asks, the calls' frame always, their arguments too. */
export type StrictLevel = 0 | 1 | 2;

export const STRICT_LEVELS: Readonly<Record<string, StrictLevel>> = { auto: 0, function: 1, parameter: 2 };

/** What a tool parser needs of the prompt's request, so that it can read the answer. */
export interface ToolParserTraits {
  /** Grammar of the calls, or null where the format has none. */
  readonly grammar: ((vocabulary: Vocabulary) => ToolGrammar) | null;
  /** Whether the grammar also stands for `tool_choice: "auto"`. */
  readonly grammarForAuto: boolean;
  /**
   * What forced calls are written in where there is no grammar: `json`, a list of objects; `own`, the format as ever; `mistral`, its
   * list; `refused`: nothing could force them, so neither they nor strict tools can be asked for.
   */
  readonly forced: 'json' | 'own' | 'mistral' | 'refused';
  /** When special tokens must stay in the decoded text. */
  readonly keepSpecialTokens: 'never' | 'with-tools' | 'always';
  /** Whether decoding puts spaces between special tokens as the request asks. */
  readonly spaces: boolean;
  readonly strictLevel: StrictLevel;
}

const PLAIN: ToolParserTraits = {
  grammar: null,
  grammarForAuto: true,
  forced: 'json',
  keepSpecialTokens: 'never',
  spaces: true,
  strictLevel: 0,
};

function traits(members: Partial<ToolParserTraits>): ToolParserTraits {
  return { ...PLAIN, ...members };
}

function withGrammar(grammar: ToolGrammar, members: Partial<ToolParserTraits> = {}): ToolParserTraits {
  return traits({ grammar: () => grammar, forced: 'own', ...members });
}

const OWN = traits({ forced: 'own' });
const ALWAYS = { keepSpecialTokens: 'always' } as const;
const WITH_TOOLS = { keepSpecialTokens: 'with-tools' } as const;

/** A checkpoint's markers may carry a suffix, which its vocabulary shows. */
function hunyuanSuffix(vocabulary: Vocabulary): string {
  for (let id = vocabulary.size - 1; id >= 0; id -= 1) {
    if (!vocabulary.isAdded(id)) continue;
    const match = /^<tool_calls(:[^>]*)>$/.exec(vocabulary.idToToken(id) ?? '');
    if (match?.[1] !== undefined) return match[1];
  }
  return '';
}

/** Formats that a file declares: which of their markers are special tokens is not known, so all are kept. */
const DECLARED = 'declared';
const DECLARED_JSON = 'declared_json';

/** Formats that the model's own configuration describes. */
const RESPONSE_TEMPLATE = traits({ forced: 'refused', spaces: false, ...ALWAYS });

const TRAITS: Readonly<Record<string, ToolParserTraits>> = {
  [DECLARED]: traits({ forced: 'own', ...ALWAYS }),
  [DECLARED_JSON]: traits(ALWAYS),
  apertus: traits(WITH_TOOLS),
  beam: RESPONSE_TEMPLATE,
  cohere_command3: traits({ forced: 'own', ...ALWAYS }),
  cohere_command4: traits({ forced: 'own', ...ALWAYS }),
  deepseek_v3: withGrammar(deepseekV3),
  deepseek_v31: withGrammar(deepseekV31),
  deepseek_v32: withGrammar(deepseekV32, ALWAYS),
  deepseek_v4: withGrammar(deepseekV4, ALWAYS),
  deepseek_v41: withGrammar(deepseekV41, ALWAYS),
  dots: OWN,
  functiongemma: traits(WITH_TOOLS),
  gemma4: traits({ forced: 'own', ...ALWAYS }),
  gigachat3: traits(WITH_TOOLS),
  glm45: withGrammar(glm47, { strictLevel: 1, ...ALWAYS }),
  glm47: withGrammar(glm47, { strictLevel: 1, ...ALWAYS }),
  granite: traits(ALWAYS),
  granite4: traits(WITH_TOOLS),
  hermes: withGrammar(hermes, WITH_TOOLS),
  hf: RESPONSE_TEMPLATE,
  hy_v4: traits({ grammar: (vocabulary) => hyV4(hunyuanSuffix(vocabulary)), grammarForAuto: false, forced: 'own' }),
  inkling: traits({ forced: 'own', ...ALWAYS }),
  internlm: traits(WITH_TOOLS),
  jamba: traits(WITH_TOOLS),
  k2_horizon: OWN,
  kimi_k2: withGrammar(kimi, WITH_TOOLS),
  kimi_k3: withGrammar(kimiK3, { spaces: false, ...ALWAYS }),
  lfm2: traits(WITH_TOOLS),
  ling3: withGrammar(glm47, ALWAYS),
  llama3_json: withGrammar(llama),
  llama4_json: withGrammar(llama),
  longcat: withGrammar(longcat, WITH_TOOLS),
  mimo: withGrammar(mimo, ALWAYS),
  minicpm5: traits(WITH_TOOLS),
  minimax_m2: withGrammar(minimax, ALWAYS),
  minimax_m3: OWN,
  mistral: traits({ forced: 'mistral', ...ALWAYS }),
  muse: traits({ forced: 'own', ...ALWAYS }),
  muse_glimmer: traits({ forced: 'own', ...ALWAYS }),
  musespark1x: traits({ forced: 'own', ...ALWAYS }),
  openai: withGrammar(harmony),
  plamo3: withGrammar(plamo3, ALWAYS),
  poolside_v1: traits({ forced: 'own', ...WITH_TOOLS }),
  qwen3_coder: withGrammar(qwen3Coder, ALWAYS),
  qwen3_json: withGrammar(hermes, WITH_TOOLS),
  qwen3_xml: withGrammar(qwen3Coder, ALWAYS),
  seed_oss: traits(ALWAYS),
  step3: traits(WITH_TOOLS),
  step3p5: withGrammar(qwen3Coder, ALWAYS),
  step5: withGrammar(qwen3Coder, ALWAYS),
};

/** @param name a tool parser's name in the reference; those that are not listed need nothing special */
export function toolParserTraits(name: string): ToolParserTraits {
  return Object.hasOwn(TRAITS, name) ? (TRAITS[name] as ToolParserTraits) : PLAIN;
}

/** A format as far as traits depend on it. */
interface NamedFormat {
  readonly kind: 'tool' | 'reasoning' | 'unified';
  readonly name: string;
  readonly forcedChoice?: 'json' | 'markup';
}

const isDeclared = ({ name }: NamedFormat): boolean => name.startsWith('file:');

/** The name whose traits hold for a parser: the one given where it is the reference's, else the format's own. */
export function referenceToolParser(given: string, format: NamedFormat): string {
  if (isDeclared(format)) return format.kind === 'unified' ? 'hf' : format.forcedChoice === 'json' ? DECLARED_JSON : DECLARED;
  return Object.hasOwn(TRAITS, given) ? given : format.name;
}

/** Reasoning parsers that read special tokens, so that decoding must keep them. */
const READS_SPECIAL_TOKENS: ReadonlySet<string> = new Set([
  DECLARED,
  'beam',
  'cohere_command3',
  'cohere_command4',
  'deepseek_v4',
  'deepseek_v41',
  'gemma4',
  'glm45',
  'glm47',
  'granite_thinking_parser',
  'hf',
  'inkling',
  'kimi_k2',
  'kimi_k3',
  'ling3',
  'mimo',
  'minicpmv',
  'minimax_m2',
  'mistral',
  'muse',
  'muse_glimmer',
  'musespark1x',
  'nemotron_v3',
  'plamo3',
  'qwen3',
  'seed_oss',
  'step3p5',
]);

/** Reasoning parsers whose markers must not be parted by spaces. */
const UNSPACED: ReadonlySet<string> = new Set(['beam', 'hf', 'kimi_k3']);

/** Parsers that look at every request, whether or not it may call tools. */
const ALWAYS_ASKED: ReadonlySet<string> = new Set(['beam', 'hf']);

export function looksAtEveryRequest(toolParser: string | null): boolean {
  return toolParser !== null && ALWAYS_ASKED.has(toolParser);
}

export interface ReasoningParserTraits {
  readonly keepSpecialTokens: boolean;
  readonly spaces: boolean;
}

export function reasoningParserTraits(name: string): ReasoningParserTraits {
  return { keepSpecialTokens: READS_SPECIAL_TOKENS.has(name), spaces: !UNSPACED.has(name) };
}

/** As `referenceToolParser`, for reasoning parsers. */
export function referenceReasoningParser(given: string, format: NamedFormat): string {
  if (isDeclared(format)) return format.kind === 'unified' ? 'hf' : DECLARED;
  return READS_SPECIAL_TOKENS.has(given) ? given : format.name;
}
