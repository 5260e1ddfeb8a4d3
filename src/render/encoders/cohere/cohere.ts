import { badRequest } from '../../../core/errors.ts';
import type { ChatEncoder, ChatEncoderInput } from '../../chat-encoder.ts';
import { isObject, items, member, members, truthy } from '../json-value.ts';
import { command3Prompt } from './command3.ts';
import { command4Prompt } from './command4.ts';
import { readSettings } from './render-settings.ts';
import { readTurns, spacedJson, toolLines } from './turns.ts';

/** The prompts of Cohere's Command models (`cmd3` and `cmd4`), as their library melody renders them. */

/** A document's fields: those in `data`, with the document's id, or the document itself. */
function documentJson(document: unknown): string {
  if (typeof document === 'string') return spacedJson({ text: document });
  if (!isObject(document)) throw badRequest('A document must be text or an object.');
  const data = member(document, 'data');
  const fields = new Map(members(isObject(data) ? data : document));
  const id = member(document, 'id') ?? null;
  if (isObject(data) && id !== null && !fields.has('id')) fields.set('id', id);
  const inner = fields.get('data');
  return spacedJson(truthy(inner) ? inner : fields);
}

function render({ conversation, tools, templateKwargs, requestChatTemplate }: ChatEncoderInput): string {
  if (requestChatTemplate !== null) throw badRequest("This model's prompt is not written by a template: chat_template has no use.");
  const settings = readSettings(templateKwargs);
  const documents = items(templateKwargs['documents']).map(documentJson);
  const offered = truthy(templateKwargs['available_tools']) ? items(templateKwargs['available_tools']) : (tools ?? []);
  const turns = readTurns(conversation, documents.length > 0);
  const prompt = settings.format === 'cmd3' ? command3Prompt : command4Prompt;
  return prompt(turns, toolLines(offered, documents.length > 0), documents, settings);
}

/** The encoder for Cohere's models: text whose special tokens count as such, without the tokenizer's own. */
export function createCohereEncoder(): ChatEncoder {
  return { name: 'cohere', contentFormat: 'openai', encode: (input) => ({ text: render(input), addSpecialTokens: false }) };
}
