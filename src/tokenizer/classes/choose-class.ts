import { BYTE_LEVEL_CLASSES } from './byte-level-classes.ts';
import { ALWAYS_PLAIN, CLASS_ALIASES, PLAIN_CLASS, REGISTERED_CLASSES, WRONGLY_NAMED } from './class-names.ts';
import { SENTENCEPIECE_BPE_CLASSES } from './sentencepiece-bpe-classes.ts';
import type { TokenizerClass } from './tokenizer-class.ts';
import { UNIGRAM_CLASSES } from './unigram-classes.ts';
import { WORD_PIECE_CLASSES } from './word-piece-classes.ts';

const CLASSES: ReadonlyMap<string, TokenizerClass> = new Map(
  [BYTE_LEVEL_CLASSES, SENTENCEPIECE_BPE_CLASSES, UNIGRAM_CLASSES, WORD_PIECE_CLASSES].flatMap((table) => Object.entries(table)),
);

/** The row of a class; undefined for the plain class and for names that nothing is known of. */
export function tokenizerClass(name: string): TokenizerClass | undefined {
  return CLASSES.get(name);
}

/** Names of all classes that build their own pipeline. */
export function rebuildingClassNames(): string[] {
  return [...CLASSES.keys()];
}

function withoutFast(name: string): string {
  return name.endsWith('Fast') ? name.slice(0, -'Fast'.length) : name;
}

/** The class that a name in the files stands for. Code that comes with a model is never run: its classes are the plain one. */
function resolve(name: string): string {
  const known = [name, withoutFast(name)].map((each) => CLASS_ALIASES[each] ?? each).find((each) => CLASSES.has(each));
  return known ?? PLAIN_CLASS;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function hasOwnCode(tokenizerConfig: Readonly<Record<string, unknown>>): boolean {
  const map = tokenizerConfig['auto_map'];
  if (Array.isArray(map)) return true;
  return typeof map === 'object' && map !== null && 'AutoTokenizer' in map && map.AutoTokenizer !== null;
}

/**
 * Name of the tokenizer class that vLLM 0.33 with transformers 5.20 makes for a model, from `tokenizer_config.json` and
 * `config.json`: the class that the files name, unless another one is registered for the model type and the name is known to be
 * wrong, or the registered one is the plain class.
 */
export function chooseClassName(tokenizerConfig: Readonly<Record<string, unknown>>, config: Readonly<Record<string, unknown>>): string {
  const modelType = text(config['model_type']);
  if (modelType !== undefined && ALWAYS_PLAIN.has(modelType)) return PLAIN_CLASS;
  const registered = modelType === undefined ? undefined : REGISTERED_CLASSES.get(modelType);
  const named = text(tokenizerConfig['tokenizer_class']) ?? text(config['tokenizer_class']);
  if (!hasOwnCode(tokenizerConfig) && named !== undefined && registered !== undefined && withoutFast(registered) !== withoutFast(named)) {
    if (registered === PLAIN_CLASS) return PLAIN_CLASS;
    const wrong = [modelType, text(config['model_name'])].some((name) => name !== undefined && WRONGLY_NAMED.has(name));
    return resolve(wrong ? registered : named);
  }
  return resolve(named ?? registered ?? PLAIN_CLASS);
}
