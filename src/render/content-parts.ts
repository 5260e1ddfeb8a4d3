import { badRequest } from '../core/errors.ts';
import { isRecord } from '../protocol/typed-shape.ts';

/** A text or media part of a message, read. */
export type ContentPart =
  | { readonly kind: 'text'; readonly text: string; readonly extra: Readonly<Record<string, unknown>> }
  | { readonly kind: 'tool-reference'; readonly name: unknown }
  | {
      readonly kind: 'media';
      readonly modality: Modality;
      readonly media: EngineMedia;
      readonly extra: Readonly<Record<string, unknown>>;
    };

export type Modality = 'image' | 'audio' | 'video';

/** Media as the engine's `content_parts` has them: it fetches what `url` names (`data:` too), or knows the media by `uuid`. */
export interface EngineMedia {
  readonly type: `${Modality}_url`;
  readonly url: string | null;
  readonly uuid?: string;
}

/** Part types that carry text, and the member that holds it. */
const TEXT_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['refusal', 'refusal'],
  ['thinking', 'thinking'],
]);

const MEDIA_TYPES: ReadonlyMap<string, Modality> = new Map([
  ['image_url', 'image'],
  ['input_image', 'image'],
  ['audio_url', 'audio'],
  ['input_audio', 'audio'],
  ['video_url', 'video'],
]);

/** Types of parts that only a process with the model's weights can read. */
const TENSOR_TYPES = ['image_pil', 'image_embeds', 'audio_embeds', 'video_embeds'];

/** Members with a meaning; templates get the others beside the text. */
const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  'audio_embeds',
  'audio_url',
  'closed',
  'data',
  'file',
  'image_embeds',
  'image_pil',
  'image_url',
  'input_audio',
  'name',
  'prompt_cache_breakpoint',
  'refusal',
  'text',
  'thinking',
  'type',
  'uuid',
  'video_embeds',
  'video_url',
]);

/** The type of a part that names none, or that is identified by a `uuid`: told by its member. */
const TELLING_MEMBERS = [
  'image_url',
  'image_pil',
  'image_embeds',
  'audio_embeds',
  'video_embeds',
  'prompt_embeds',
  'audio_url',
  'input_audio',
  'video_url',
];

function typeOf(part: Readonly<Record<string, unknown>>): string {
  const type = part['type'] ?? null;
  const identified = (part['uuid'] ?? null) !== null;
  if (typeof type === 'string' && !identified) return type;
  const telling = TELLING_MEMBERS.find((name) => Object.hasOwn(part, name));
  if (telling !== undefined) return telling;
  if (Object.hasOwn(part, 'tool_reference')) return 'tool_reference';
  throw badRequest('A content part must have a `type`, or a member that tells what it is.', 'type');
}

function extraMembers(part: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !KNOWN_MEMBERS.has(name)));
}

function mediaUrl(part: Readonly<Record<string, unknown>>, type: string): unknown {
  const given = part[type === 'input_image' ? 'image_url' : type];
  if (type !== 'input_audio') return isRecord(given) ? given['url'] : given;
  const { data, format } = isRecord(given) ? given : {};
  return typeof data === 'string' && typeof format === 'string' ? `data:audio/${format};base64,${data}` : null;
}

function readMedia(part: Readonly<Record<string, unknown>>, type: string, modality: Modality): EngineMedia {
  const url = mediaUrl(part, type);
  const { uuid } = part;
  const named = typeof url === 'string' && url !== '' ? url : null;
  const identified = typeof uuid === 'string' && uuid !== '';
  if (named === null && !identified)
    throw badRequest(`A content part of type '${type}' needs a url, or data, or a uuid that the engine knows.`);
  return { type: `${modality}_url`, url: named, ...(identified ? { uuid } : {}) };
}

/**
 * Reads one content part; null for a part without content.
 * @throws ApiError 400 for parts of no known type, and for tensors
 */
export function readContentPart(part: unknown): ContentPart | null {
  if (typeof part === 'string') return { kind: 'text', text: part, extra: {} };
  if (!isRecord(part)) throw badRequest('A content part must be a text or an object.');
  const type = typeOf(part);
  const textMember = TEXT_MEMBERS.get(type);
  if (textMember !== undefined) {
    const text = part[textMember] ?? null;
    if (text === null) return null;
    if (typeof text !== 'string') throw badRequest(`\`${textMember}\` of a content part must be a text.`);
    return { kind: 'text', text, extra: extraMembers(part) };
  }
  if (type === 'tool_reference') return { kind: 'tool-reference', name: part['name'] };
  const modality = MEDIA_TYPES.get(type);
  if (modality !== undefined) return { kind: 'media', modality, media: readMedia(part, type, modality), extra: extraMembers(part) };
  if (type === 'prompt_embeds') throw badRequest('This server takes no `prompt_embeds`.', 'prompt_embeds');
  if (TENSOR_TYPES.includes(type)) throw badRequest(`This server takes no content parts of type '${type}'.`);
  throw badRequest(`'${type}' is no type of content part that is supported.`, 'type');
}
