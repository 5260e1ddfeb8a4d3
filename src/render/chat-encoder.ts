/** A JSON object of the request. Deeper values are plain JSON, or what the lossless reader gives where JavaScript would lose something. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A whole chat, checked and normalized, for a model whose prompt is written by code instead of a chat template. */
export interface ChatEncoderInput {
  /**
   * The messages as the request has them: content is a string, null or a list of parts; tool call arguments are text.
   * Roles and members are not checked further (unknown roles pass).
   */
  readonly messages: readonly JsonObject[];
  /**
   * The same messages as a template would get them: text parts joined or wrapped as `contentFormat` says, tool call arguments read
   * into objects (broken JSON: `{}`), `reasoning` and `reasoning_content` both set, empty `tool_calls` removed, `tools` on developer messages.
   */
  readonly conversation: readonly JsonObject[];
  /** Tool definitions `{type, function: {name, description, parameters, ...}}`, members not sent being null where the reference writes them; null without tools. */
  readonly tools: readonly JsonObject[] | null;
  readonly documents: readonly unknown[] | null;
  /**
   * Everything a template would get besides messages, tools and special tokens: the server's defaults under the request's
   * `chat_template_kwargs`, with `add_generation_prompt`, `continue_final_message`, `documents`, `reasoning_effort`,
   * `enable_thinking` ... set as for templates.
   */
  readonly templateKwargs: Readonly<Record<string, unknown>>;
  readonly addGenerationPrompt: boolean;
  readonly continueFinalMessage: boolean;
  /** `reasoning_effort` after the server's map, or null. */
  readonly reasoningEffort: string | null;
  /** `none`, `auto`, `required`, `{type: 'function', function: {name}}`, or null. */
  readonly toolChoice: unknown;
  /** `response_format` as sent, or null. */
  readonly responseFormat: JsonObject | null;
  /** Members that only some encoders refuse: the request's own template and template arguments, as sent (null where absent). */
  readonly requestChatTemplate: string | null;
  readonly requestTemplateKwargs: JsonObject | null;
}

/** The parts of a Responses request from which Harmony builds its own messages; other encoders get a chat made from it instead. */
export interface ResponsesEncoderInput {
  /** A text, or the input items as sent. */
  readonly input: string | readonly JsonObject[];
  readonly instructions: string | null;
  /** Tools in the Responses form (`{type: 'function', name, parameters}`, `{type: 'web_search_preview'}` ...). */
  readonly tools: readonly JsonObject[];
  readonly reasoningEffort: string | null;
  readonly previousInputMessages: readonly JsonObject[] | null;
}

/**
 * What an encoder gives: a text that is still to be tokenized (special tokens in it count as such), with or without the tokenizer's
 * own leading and trailing tokens, or finished token ids.
 */
export type EncodedPrompt = { readonly text: string; readonly addSpecialTokens: boolean } | { readonly tokenIds: number[] };

/**
 * Writes the prompt of a chat for one model family. Made once per server with the tokenizer and the clock it needs.
 * Deterministic for an input, and linear in it. Bad input: throws ApiError with status 400.
 */
export interface ChatEncoder {
  readonly name: string;
  /** Form of `conversation`: content parts joined to one string, or kept as a list. */
  readonly contentFormat: 'string' | 'openai';
  encode(input: ChatEncoderInput): EncodedPrompt | Promise<EncodedPrompt>;
  /** For encoders that read the Responses form themselves. */
  encodeResponses?(input: ResponsesEncoderInput): EncodedPrompt | Promise<EncodedPrompt>;
  /** Fill-in-the-middle prompt for the completions endpoint's `suffix`; absent where the model has none. */
  readonly completionSuffix?: (prompt: string, suffix: string) => string;
}
