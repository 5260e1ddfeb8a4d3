import { anyText, constant, jsonSchema, oneOf, optional, sequence, tag } from './formats.ts';
import type { Format, Tag } from './formats.ts';
import type { ToolGrammar } from './tool-formats.ts';

/** gpt-oss: channels, of which `final` holds the answer, and calls addressed with `to=`. */

const JSON_MARKS = [' json', ' <|constrain|>json'];
// Tokens that stop generation cannot stand in a grammar: the empty end is theirs.
const ENDS = ['<|end|>', ''];
const CHANNELS = ['<|channel|>commentary', '<|channel|>analysis', '<|channel|>final'];

function finalTag(mark: string, content: Format): Tag {
  return tag(`<|channel|>final${mark}<|message|>`, content, ENDS);
}

/** A message of another channel that may come first. */
function leadingMessage(channel: string): Format {
  return optional(sequence(tag(`<|channel|>${channel}<|message|>`, anyText(), '<|end|>'), constant('<|start|>assistant')));
}

export const harmony: ToolGrammar = (tools, mode) => {
  const calls = tools.flatMap(({ name, schema }) => {
    const recipient = ` to=functions.${name}`;
    const begins = [
      ...JSON_MARKS.flatMap((mark) => CHANNELS.map((channel) => `${recipient}${channel}${mark}`)),
      ...JSON_MARKS.flatMap((mark) => CHANNELS.map((channel) => `${channel}${recipient}${mark}`)),
    ];
    return begins.map((begin) => tag(`${begin}<|message|>`, jsonSchema(schema), ENDS));
  });
  const answers = mode === 'auto' ? [...JSON_MARKS, ''].map((mark) => finalTag(mark, anyText())) : [];
  return sequence(leadingMessage('analysis'), leadingMessage('commentary'), { type: 'or', elements: [...calls, ...answers] });
};

/** An answer that follows a constraint: reasoning may come first, and JSON is marked as such. */
export function harmonyAnswer(content: Format): Format {
  const isJson = content.type === 'json_schema';
  return sequence(leadingMessage('analysis'), isJson ? oneOf(JSON_MARKS.map((mark) => finalTag(mark, content))) : finalTag('', content));
}
