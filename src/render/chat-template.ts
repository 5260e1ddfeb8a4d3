import { badRequest } from '../core/errors.ts';
import { compileTemplate, parseClockTime, renderChat, TemplateError } from '../template/index.ts';
import type { ChatVariables, ContentFormat } from '../template/index.ts';
import { templateValue } from './template-values.ts';

/** A compiled chat template, whose errors are answers to the client. */
export interface ChatTemplate {
  readonly source: string;
  /** The form of content that the template reads. */
  readonly contentFormat: ContentFormat;
  /** Variables that the template reads and does not set. */
  readonly undeclared: ReadonlySet<string>;
  /**
   * @param now ISO 8601 time that the template sees as now, or null for the clock's
   * @throws ApiError 400 where the template fails or refuses
   */
  render(variables: ChatVariables, now: string | null): string;
}

function answered<Result>(body: () => Result): Result {
  try {
    return body();
  } catch (error) {
    if (error instanceof TemplateError) throw badRequest(`The chat template: ${error.message}`);
    // Data nested deeper than the stack goes.
    if (error instanceof RangeError) throw badRequest('The conversation is nested too deep for the chat template.');
    throw error;
  }
}

/** @throws ApiError 400 where the text is no template */
export function compileChatTemplate(source: string): ChatTemplate {
  return answered(() => {
    const template = compileTemplate(source);
    return {
      source,
      contentFormat: template.contentFormat(),
      undeclared: template.undeclaredVariables(),
      render: (variables, now) =>
        answered(() => {
          const options = now === null ? {} : { now: parseClockTime(now) };
          return renderChat(template, templateValue(variables) as ChatVariables, options).text;
        }),
    };
  });
}
