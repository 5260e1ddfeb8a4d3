import { dumps, tryLoads } from '../../../core/python-json.ts';
import type { Call, Chunk, Message } from './message.ts';
import type { MistralVersion } from './version.ts';

/** Messages brought into the form that is written: neighbours of one role are one message. */

export interface Conversation {
  readonly messages: readonly Message[];
  /** Up to v3 there are no system messages; their text stands in a user message. */
  readonly systemPrompt: string | null;
}

const BETWEEN_MESSAGES = '\n\n';

/** Contents as one: text if there is only text, else a list in which neighbouring texts are joined. */
function joinContents(contents: readonly Message['content'][], betweenChunks: string): string | Chunk[] {
  const chunks: Chunk[] = [];
  let text: string | null = null;
  const flush = (): void => {
    if (text !== null) chunks.push({ type: 'text', text });
    text = null;
  };
  for (const content of contents) {
    let isFirst = true;
    const parts: readonly Chunk[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
    for (const part of parts) {
      if (part.type === 'text' && part.text === '') continue;
      if (part.type === 'text') {
        text = text === null ? part.text : text + (isFirst ? BETWEEN_MESSAGES : betweenChunks) + part.text;
        isFirst = false;
      } else {
        flush();
        chunks.push(part);
      }
    }
  }
  if (chunks.length === 0) return text ?? '';
  flush();
  return chunks;
}

/** JSON in Python's spelling; other text as it is, no text as an empty object. */
function normalizedJson(text: string): string {
  if (text === '') return '{}';
  const value = tryLoads(text);
  return value === undefined ? text : dumps(value);
}

/** Results in the order of the calls since the last results; those of unknown calls come last. */
function sortedResults(results: readonly Message[], callIds: readonly string[]): Message[] {
  const places = new Map(callIds.map((id, index) => [id, index]));
  return results.toSorted((a, b) => (places.get(a.toolCallId ?? '') ?? Infinity) - (places.get(b.toolCallId ?? '') ?? Infinity) || 0);
}

class Normalizer {
  private readonly version: MistralVersion;
  private readonly betweenChunks: string;
  private callIds: string[] = [];
  readonly messages: Message[] = [];

  constructor(version: MistralVersion) {
    this.version = version;
    this.betweenChunks = version >= 15 ? '' : '\n\n';
  }

  joined(group: readonly Message[]): string | Chunk[] {
    return joinContents(
      group.map(({ content }) => content),
      this.betweenChunks,
    );
  }

  /** Takes neighbouring messages of one role. */
  add(group: readonly Message[]): void {
    const [first] = group;
    if (first === undefined) return;
    if (first.role === 'tool') this.addResults(group);
    else if (first.role === 'assistant') this.addAssistant(first, group);
    else if (first.role === 'user') this.messages.push({ ...first, content: this.joined(group) });
    else if (this.version >= 7) this.messages.push(...group.map((message) => ({ ...message, content: this.joined([message]) })));
  }

  private addResults(group: readonly Message[]): void {
    const results = group.map((message) => {
      const content = this.joined([message]);
      return { ...message, content: this.version < 7 && typeof content === 'string' ? normalizedJson(content) : content };
    });
    this.messages.push(...(this.version >= 11 ? sortedResults(results, this.callIds) : results));
    this.callIds = [];
  }

  private addAssistant(first: Message, group: readonly Message[]): void {
    const calls: Call[] = group.flatMap((message) => message.calls);
    this.callIds.push(...calls.map(({ id }) => id));
    this.messages.push({ ...first, content: this.joined(group), calls, isPrefix: group.some(({ isPrefix }) => isPrefix) });
  }
}

function groupsByRole(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (last?.[0]?.role === message.role) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

const EMPTY_USER: Message = { role: 'user', content: '', calls: [], isPrefix: false, toolCallId: null, name: null };

/** The conversation as a version writes it. */
export function normalize(messages: readonly Message[], version: MistralVersion): Conversation {
  const normalizer = new Normalizer(version);
  for (const group of groupsByRole(messages)) normalizer.add(group);
  const normalized = normalizer.messages;
  const [first] = normalized;
  if (first === undefined || (version < 7 && first.role !== 'user')) normalized.unshift(EMPTY_USER);
  if (version >= 7) return { messages: normalized, systemPrompt: null };
  const prompts = messages
    .filter(({ role, content }) => role === 'system' && (content ?? '').length > 0)
    .map((message) => normalizer.joined([message]))
    .filter((text): text is string => typeof text === 'string');
  return { messages: normalized, systemPrompt: prompts.join(BETWEEN_MESSAGES) || null };
}
