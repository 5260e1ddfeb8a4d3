import { StartupError } from '../core/errors.ts';
import type { ParserContext, Piece, ToolChoice, ToolDefinition } from '../core/stream-parser.ts';
import { decodePieces } from '../derender/decode-output.ts';
import { loadModel } from '../model/load-model.ts';
import { createSession } from '../parsers/session.ts';
import type { ParserSession } from '../parsers/session.ts';
import { resolveTokenizerMode } from '../render/encoders/choose.ts';
import { createTokenizer } from '../tokenizer/create-tokenizer.ts';
import { seedWindow } from '../tokenizer/incremental-detokenizer.ts';
import { chooseParsers } from './choose-parsers.ts';
import type { ModelOutput } from './model-output.ts';
import { TextVocabulary } from './text-vocabulary.ts';

/** What the command was asked to do, as far as parsing depends on it. */
export interface ParseRequest {
  /** Null for text alone, without a tokenizer. */
  model: string | null;
  tokenizer: string | null;
  tokenizerMode: string;
  revision: string | null;
  hfToken: string | null;
  toolCallParser: string | null;
  reasoningParser: string | null;
  chatTemplateKwargs: Readonly<Record<string, unknown>>;
  tools: readonly ToolDefinition[];
  toolChoice: ToolChoice;
  /** The end of the prompt, as text. */
  prompt: string;
  /** Tokens of a chunk where the input does not say. */
  chunkLength: number;
}

/** An output ready to be parsed. */
export interface PreparedOutput {
  session: (mode: ParserContext['mode']) => ParserSession;
  promptTokenIds: readonly number[];
  /** The pieces of each chunk. */
  chunks: readonly (readonly Piece[])[];
  /** What was left to the server. */
  notes: readonly string[];
}

type ModelContext = Pick<ParserContext, 'vocabulary' | 'decode' | 'specialIds' | 'endTokenIds' | 'modelType' | 'tokenizerConfig'>;

function inChunks<T>(items: readonly T[], length: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += length) chunks.push(items.slice(at, at + length));
  return chunks;
}

function prepare(
  request: ParseRequest,
  chosen: ReturnType<typeof chooseParsers>,
  model: ModelContext,
): { session: PreparedOutput['session']; notes: readonly string[] } {
  const { formats, flags, notes } = chosen;
  if (!formats) throw new StartupError('parse: give --tool-call-parser or --reasoning-parser, or both.');
  const session = (mode: ParserContext['mode']): ParserSession =>
    createSession(formats, {
      ...model,
      tools: request.tools,
      toolChoice: request.toolChoice,
      chatTemplateKwargs: request.chatTemplateKwargs,
      hasReasoningParser: flags.reasoningParser !== null,
      hasToolParser: flags.toolCallParser !== null,
      historyToolCalls: 0,
      mode,
    });
  return { session, notes };
}

/** Without a model: markers are tokens by their spelling. */
function prepareText(request: ParseRequest, output: ModelOutput): PreparedOutput {
  if (output.kind === 'ids') throw new StartupError('parse: token ids need --model, whose tokenizer knows what they stand for.');
  const vocabulary = new TextVocabulary();
  const settings = { ...request, chatTemplate: null };
  const nothing = { modelType: '', architectures: [], tokenizerConfig: {}, chatTemplates: { default: null, named: {} } };
  const prepared = prepare(request, chooseParsers(settings, nothing, vocabulary), {
    vocabulary,
    decode: () => request.prompt,
    specialIds: new Set(),
    endTokenIds: new Set(),
    modelType: '',
    tokenizerConfig: {},
  });
  // Only now is known which markers the parsers look for.
  prepared.session('stream').init([]);
  const chunks = inChunks(vocabulary.pieces(output.text), request.chunkLength);
  return { ...prepared, promptTokenIds: vocabulary.markersIn(request.prompt), chunks };
}

/**
 * Makes an output ready to be parsed as the server would, with the tokenizer of the model, or as text where no model is given.
 * @throws StartupError for what keeps a server from starting, and for token ids without a model
 */
export async function prepareOutput(request: ParseRequest, output: ModelOutput): Promise<PreparedOutput> {
  const { model: name, tokenizer: tokenizerName, tokenizerMode, revision, hfToken, chunkLength } = request;
  if (name === null) return prepareText(request, output);
  const model = await loadModel({ model: name, tokenizer: tokenizerName, revision, hfToken });
  const tokenizer = await createTokenizer(model.tokenizer, { mode: resolveTokenizerMode(tokenizerMode, model) });
  const ends = new Set(model.eosTokenIds);
  if (tokenizer.eosTokenId !== undefined) ends.add(tokenizer.eosTokenId);
  const prepared = prepare(request, chooseParsers({ ...request, chatTemplate: null }, model, tokenizer), {
    vocabulary: tokenizer,
    decode: (ids) => tokenizer.decode(ids, false),
    specialIds: tokenizer.allSpecialIds,
    endTokenIds: ends,
    modelType: model.modelType,
    tokenizerConfig: model.tokenizerConfig,
  });
  const given = output.kind === 'ids' ? output.promptTokenIds : null;
  const promptTokenIds = given ?? (await tokenizer.encode(request.prompt, false));
  const all = output.kind === 'ids' ? output.chunks : [await tokenizer.encode(output.text, false)];
  const idChunks = all.length === 1 ? inChunks(all[0] ?? [], chunkLength) : all;
  const window = seedWindow(tokenizer, promptTokenIds, false);
  const chunks = idChunks.map((ids) => decodePieces(tokenizer, ids, window, false).flat());
  const lastId = idChunks.at(-1)?.at(-1);
  const stopped = output.kind === 'ids' && output.finishReason !== 'length' && lastId !== undefined && ends.has(lastId);
  // The token that stopped the output is no part of its text.
  if (stopped) chunks.at(-1)?.splice(-1, 1, { text: '', tokenId: lastId });
  return { ...prepared, promptTokenIds, chunks };
}
