/** How transformers lets a model go on with the last message: the template renders it with a mark at its end, and the prompt is cut there. */
import { TemplateError } from './errors.ts';
import { Dict } from './values/dict.ts';
import { trimEnd, trimStart } from './values/text.ts';
import type { Value } from './values/value.ts';

const MARK = 'CONTINUE_FINAL_MESSAGE_TAG ';

function refuse(message: string): TemplateError {
  return new TemplateError('runtime', message, undefined, 'ValueError');
}

function strip(text: string): string {
  return trimEnd(trimStart(text));
}

function withMember(dict: Dict, key: string, value: Value): Dict {
  return Dict.from(dict.entries().map(([name, item]) => [name, name === key ? value : item]));
}

/** Messages whose last one ends in the mark, and the text that the mark follows. */
interface Marked {
  readonly messages: Value[];
  readonly finalText: string;
}

/** Puts the mark behind the last text part. */
function markParts(parts: readonly Value[]): { parts: Value[]; text: string } {
  const index = parts.findLastIndex((part) =>
    part instanceof Dict ? part.has('text') : typeof part === 'string' && part.includes('text'),
  );
  const part = parts[index];
  const text = part instanceof Dict ? part.get('text') : undefined;
  if (!(part instanceof Dict) || typeof text !== 'string') {
    throw refuse('continue_final_message is set but we could not find any text to continue in the final message!');
  }
  return { parts: parts.with(index, withMember(part, 'text', text + MARK)), text };
}

function mark(messages: readonly Value[], field: string, source: string): Marked {
  const last = messages.at(-1);
  const content = last instanceof Dict ? last.get(field) : undefined;
  if (!(last instanceof Dict) || content === undefined || content === null) {
    throw refuse(`continue_final_message is set but the final message has no "${field}" to continue!`);
  }
  if (!source.includes(field))
    throw refuse(`continue_final_message is set to "${field}" but this is not an accepted field in the chat_template`);
  const before = messages.slice(0, -1);
  if (Array.isArray(content)) {
    const { parts, text } = markParts(content);
    return { messages: [...before, withMember(last, field, parts)], finalText: text };
  }
  if (typeof content !== 'string') throw refuse(`continue_final_message is set but the final message's "${field}" is no text`);
  return { messages: [...before, withMember(last, field, content + MARK)], finalText: content };
}

function cut(prompt: string, finalText: string): string {
  const sign = strip(MARK);
  const at = prompt.lastIndexOf(sign);
  if (at < 0 || !prompt.includes(strip(finalText))) {
    throw refuse(
      'continue_final_message is set but the final message does not appear in the chat after applying the chat template! ' +
        'This can happen if the chat template deletes portions of the final message. Please verify the chat template and final message in your chat to ensure they are compatible.',
    );
  }
  // Where the template trimmed the mark's blank, it trimmed the message's as well.
  const kept = prompt.slice(0, at);
  return prompt.startsWith(MARK, at) ? kept : trimEnd(kept);
}

/**
 * Renders so that the prompt ends where the last message does.
 *
 * @param field the member of the last message that is continued, `content` as a rule.
 * @param source the template's text.
 * @param render renders the messages that it is given.
 * @returns the prompt up to the end of the last message.
 * @throws TemplateError where the last message has no such text, or the template does not print it.
 */
export function renderContinued(messages: readonly Value[], field: string, source: string, render: (messages: Value[]) => string): string {
  const { messages: marked, finalText } = mark(messages, field, source);
  return cut(render(marked), finalText);
}
