import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { ParserContext, Piece, ToolChoice, ToolDefinition } from '../../src/core/stream-parser.ts';
import type { Vocabulary } from '../../src/core/vocabulary.ts';
import { chooseFormats } from '../../src/parsers/registry.ts';
import type { SessionFormats } from '../../src/parsers/session.ts';

/** One delta or message of a recorded answer; members that are null are left out. */
export interface RecordedChoice {
  delta?: RecordedMessage;
  message?: RecordedMessage;
  finish_reason?: string;
  stop_reason?: number;
  error?: unknown;
}

export interface RecordedMessage {
  role?: string;
  content?: string;
  reasoning?: string;
  citations?: unknown[];
  tool_calls?: { id?: string; type?: string; index?: number; function: { name?: string; arguments?: string } }[];
}

export interface RecordedStream {
  chunk_lens: number[];
  deltas: [number, RecordedChoice][];
  finish_apart: boolean;
}

export interface RightAnswer {
  content: string;
  reasoning: string;
  tool_calls: [string, string][];
  finish_reason: string;
}

/** A model output with the reference's answers, and the text that each of its tokens adds (`pieces`). */
export interface Vector {
  id: string;
  server: { tokenizer: string; tool_parser?: string; reasoning_parser?: string; flags?: string[] };
  chat_request: {
    messages?: { role?: string; tool_calls?: unknown[] }[];
    tools?: { function: { name: string; description?: string; parameters?: Record<string, unknown> } }[];
    tool_choice?: 'auto' | 'none' | 'required' | { function: { name: string } } | null;
    parallel_tool_calls?: boolean | null;
    include_reasoning?: boolean;
    chat_template_kwargs?: Record<string, unknown>;
    reasoning_effort?: string;
  };
  prompt_token_ids: number[];
  output_token_ids: number[];
  pieces: string[];
  finish_reason: string;
  one_shot: RecordedChoice;
  streams: Record<string, RecordedStream>;
  note?: string;
  right?: RightAnswer;
  also_one_shot?: boolean;
  expect?: { one_shot?: RecordedChoice; stream?: unknown };
}

interface RecordedVocabulary {
  size: number;
  added: [number, string, boolean][];
  allSpecialIds: number[];
  eos: number | null;
  eosIds: number[];
  modelType: string;
  tokenizerConfig: Record<string, unknown>;
  /** Texts of the prompts' other tokens, for the formats that read prompts. */
  promptTexts?: Record<string, string>;
}

const fixtures = new URL('../../fixtures/parsers/', import.meta.url);

export function readVectors(): Vector[] {
  const text = gunzipSync(readFileSync(new URL('vectors.jsonl.gz', fixtures))).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Vector);
}

const vocabularies = JSON.parse(readFileSync(new URL('vocabularies.json', fixtures), 'utf8')) as Record<string, RecordedVocabulary>;

function recordedVocabulary(model: string): RecordedVocabulary {
  const vocabulary = vocabularies[model];
  if (!vocabulary) throw new Error(`no vocabulary recorded for ${model}`);
  return vocabulary;
}

const known = new Map<string, Vocabulary>();

/** The added tokens of a model: all that parsers ask for. */
export function vocabularyOf(model: string): Vocabulary {
  const built = known.get(model) ?? buildVocabulary(model);
  known.set(model, built);
  return built;
}

/** The texts of a model's added tokens. */
export function addedTokensOf(model: string): string[] {
  return recordedVocabulary(model).added.map(([, token]) => token);
}

function buildVocabulary(model: string): Vocabulary {
  const { size, added } = recordedVocabulary(model);
  const ids = new Map(added.map(([id, token]) => [token, id]));
  const byId = new Map(added.map(([id, token, special]) => [id, { token, special }]));
  return {
    size,
    tokenToId: (token) => ids.get(token),
    idToToken: (id) => byId.get(id)?.token,
    isAdded: (id) => byId.has(id),
    isSpecial: (id) => byId.get(id)?.special ?? false,
  };
}

export function formatsOf(vector: Vector): SessionFormats {
  const formats = chooseFormats(vector.server.tool_parser ?? null, vector.server.reasoning_parser ?? null);
  if (!formats) throw new Error(`${vector.id} names no parser`);
  return formats;
}

/** The request's tool choice as the reference reads it: `auto` where tools come without one, `none` without tools. */
export function toolChoiceOf(vector: Vector): ToolChoice {
  const { tool_choice: choice, tools } = vector.chat_request;
  if (choice === undefined) return tools && tools.length > 0 ? 'auto' : 'none';
  return choice !== null && typeof choice === 'object' ? { name: choice.function.name } : choice;
}

export function contextOf(vector: Vector, mode: 'one-shot' | 'stream'): ParserContext {
  const { server, chat_request: request } = vector;
  const recorded = recordedVocabulary(server.tokenizer);
  const tools: ToolDefinition[] = (request.tools ?? []).map(({ function: tool }) => ({
    name: tool.name,
    description: tool.description ?? null,
    parameters: tool.parameters ?? null,
  }));
  const effort = request.reasoning_effort;
  return {
    vocabulary: vocabularyOf(server.tokenizer),
    decode: (ids) => ids.map((id) => recorded.promptTexts?.[id] ?? vocabularyOf(server.tokenizer).idToToken(id) ?? '').join(''),
    specialIds: new Set(recorded.allSpecialIds),
    endTokenIds: new Set(recorded.eosIds),
    tools,
    toolChoice: toolChoiceOf(vector),
    chatTemplateKwargs: {
      ...(effort === undefined ? {} : { reasoning_effort: effort, enable_thinking: effort !== 'none' }),
      ...request.chat_template_kwargs,
    },
    modelType: recorded.modelType,
    tokenizerConfig: recorded.tokenizerConfig,
    hasReasoningParser: server.reasoning_parser !== undefined,
    hasToolParser: server.tool_parser !== undefined,
    historyToolCalls: (request.messages ?? []).reduce(
      (count, message) => count + (message.role === 'assistant' ? (message.tool_calls?.length ?? 0) : 0),
      0,
    ),
    mode,
  };
}

/** The vector's output as pieces; text in front of an added token is a piece of its own. */
export function piecesOf(vector: Vector, from: number, to: number, stopped: boolean): Piece[] {
  const vocabulary = vocabularyOf(vector.server.tokenizer);
  const stop = stopped && isStopToken(vector) ? vector.output_token_ids.length - 1 : -1;
  const pieces: Piece[] = [];
  for (let at = from; at < to; at += 1) {
    const id = vector.output_token_ids[at] ?? -1;
    const text = at === stop ? '' : (vector.pieces[at] ?? '');
    const token = vocabulary.idToToken(id);
    if (token === undefined) {
      pieces.push({ text, tokenId: null });
    } else if (text.length > token.length && text.endsWith(token)) {
      pieces.push({ text: text.slice(0, -token.length), tokenId: null }, { text: token, tokenId: id });
    } else {
      pieces.push({ text, tokenId: id });
    }
  }
  return pieces;
}

/** Whether the output's last token is the one that stopped generation, which the engine leaves out of the text. */
function isStopToken(vector: Vector): boolean {
  const last = vector.output_token_ids.at(-1);
  return vector.finish_reason === 'stop' && last !== undefined && recordedVocabulary(vector.server.tokenizer).eosIds.includes(last);
}

/** The id that stopped generation where it is one of the model's further EOS ids, which answers then tell as `stop_reason`. */
export function otherStopToken(vector: Vector): number | null {
  const last = vector.output_token_ids.at(-1);
  return last !== undefined && isStopToken(vector) && last !== recordedVocabulary(vector.server.tokenizer).eos ? last : null;
}
