import type { ChatLogprob } from '../../src/derender/answers.ts';
import type { DerenderService } from '../../src/derender/service.ts';
import { chatBody, chatChunkBody, completionBody, completionChunkBody } from './letter-service.ts';

/** One output of an engine, to be derendered whole or in chunks. */
export interface Output {
  ids: readonly number[];
  finishReason: string;
  stopReason?: number | string | null;
  withLogprobs?: boolean;
  /** Members of the rendered request besides its messages or prompt. */
  request?: Readonly<Record<string, unknown>>;
  promptIds?: readonly number[];
  /** The engine says why it ended in a chunk of its own. */
  finishApart?: boolean;
}

/** What an answer says, in one piece. */
export interface Sum {
  content: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  logprobs: ChatLogprob[];
  finishReason: string | null;
  stopReason: number | string | null;
}

export interface StreamSum extends Sum {
  roles: number;
  /** Largest stream_state, in bytes of JSON. */
  stateBytes: number;
}

function chunks({ ids, finishApart = false }: Output, cuts: readonly number[]): number[][] {
  const result: number[][] = [];
  let from = 0;
  for (const size of cuts) {
    if (from >= ids.length) break;
    result.push(ids.slice(from, from + size));
    from += size;
  }
  if (from < ids.length || result.length === 0) result.push(ids.slice(from));
  if (finishApart) result.push([]);
  return result;
}

function choiceOf(output: Output, ids: readonly number[], last: boolean): Record<string, unknown> {
  const content = ids.map((id, at) => ({ token_id: id, logprob: -at, top_logprobs: [{ token_id: id, logprob: -at }] }));
  return {
    index: 0,
    token_ids: ids,
    finish_reason: last ? output.finishReason : null,
    stop_reason: last ? (output.stopReason ?? null) : null,
    logprobs: output.withLogprobs ? { content } : null,
  };
}

const chatRequest = (output: Output): unknown => ({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...output.request });
const completionRequest = (output: Output): unknown => ({ model: 'm', prompt: 'Hi', ...output.request });

export async function wholeChat(service: DerenderService, output: Output): Promise<Sum> {
  const body = {
    generate_response: { choices: [choiceOf(output, output.ids, true)] },
    prompt_token_ids: output.promptIds ?? [],
    chat_request: chatRequest(output),
  };
  const { choices } = await service.chat(chatBody(body));
  const [choice] = choices;
  if (!choice) throw new Error('no choice');
  return {
    content: choice.message.content ?? '',
    reasoning: choice.message.reasoning ?? '',
    calls: (choice.message.tool_calls ?? []).map(({ id, function: called }) => ({ id, ...called })),
    logprobs: choice.logprobs?.content ?? [],
    finishReason: choice.finish_reason,
    stopReason: choice.stop_reason,
  };
}

export function streamedChat(service: DerenderService, output: Output, cuts: readonly number[]): StreamSum {
  const sum: StreamSum = {
    content: '',
    reasoning: '',
    calls: [],
    logprobs: [],
    finishReason: null,
    stopReason: null,
    roles: 0,
    stateBytes: 0,
  };
  let state: unknown = null;
  const parts = chunks(output, cuts);
  for (const [at, ids] of parts.entries()) {
    const body = {
      generate_chunk: { request_id: 'r', choices: [choiceOf(output, ids, at === parts.length - 1)] },
      stream_state: state,
      prompt_token_ids: output.promptIds ?? [],
      chat_request: chatRequest(output),
    };
    const answer = service.chatStream(chatChunkBody(body));
    state = answer.stream_state;
    sum.stateBytes = Math.max(sum.stateBytes, Buffer.byteLength(JSON.stringify(state)));
    const [choice] = answer.chunk.choices;
    if (!choice) continue;
    const { delta } = choice;
    if (delta.role) sum.roles += 1;
    sum.content += delta.content ?? '';
    sum.reasoning += delta.reasoning ?? '';
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      const call = (sum.calls[index] ??= { id: '', name: '', arguments: '' });
      call.id += id ?? '';
      call.name += called.name ?? '';
      call.arguments += called.arguments ?? '';
    }
    sum.logprobs.push(...(choice.logprobs?.content ?? []));
    sum.finishReason = choice.finish_reason;
    sum.stopReason = choice.stop_reason;
  }
  return sum;
}

/** A completion in one piece. */
export interface TextSum {
  text: string;
  tokens: string[];
  offsets: number[];
  stopReason: number | string | null;
}

export async function wholeCompletion(service: DerenderService, output: Output): Promise<TextSum> {
  const body = {
    generate_responses: [{ choices: [choiceOf(output, output.ids, true)] }],
    prompt_token_ids: [output.promptIds ?? []],
    completion_request: completionRequest(output),
  };
  const { choices } = await service.completion(completionBody(body));
  const [choice] = choices;
  if (!choice) throw new Error('no choice');
  return {
    text: choice.text,
    tokens: choice.logprobs?.tokens ?? [],
    offsets: choice.logprobs?.text_offset ?? [],
    stopReason: choice.stop_reason,
  };
}

export function streamedCompletion(service: DerenderService, output: Output, cuts: readonly number[]): TextSum {
  const sum: TextSum = { text: '', tokens: [], offsets: [], stopReason: null };
  let state: unknown = null;
  const parts = chunks(output, cuts);
  for (const [at, ids] of parts.entries()) {
    const body = {
      generate_chunk: { request_id: 'r', choices: [choiceOf(output, ids, at === parts.length - 1)] },
      stream_state: state,
      prompt_token_ids: output.promptIds ?? [],
      completion_request: completionRequest(output),
    };
    const answer = service.completionStream(completionChunkBody(body));
    state = answer.stream_state;
    const [choice] = answer.chunk.choices;
    sum.text += choice?.text ?? '';
    sum.tokens.push(...(choice?.logprobs?.tokens ?? []));
    sum.offsets.push(...(choice?.logprobs?.text_offset ?? []));
    sum.stopReason = choice?.stop_reason ?? null;
  }
  return sum;
}
