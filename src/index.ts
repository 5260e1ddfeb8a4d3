/**
 * The server's core as a library, without HTTP: models and tokenizers, parsers with a serialisable state, templates, and the Fastify
 * application for those who mount it in a server of their own.
 */
export { ApiError, StartupError } from './core/errors.ts';
export type { Settings } from './core/settings.ts';
export type {
  CompleteAnswer,
  ParserContext,
  Piece,
  ReasoningFormat,
  ToolCall,
  ToolChoice,
  ToolDefinition,
  ToolFormat,
  UnifiedFormat,
} from './core/stream-parser.ts';
export type { Vocabulary } from './core/vocabulary.ts';
export { loadModel } from './model/load-model.ts';
export type { LoadModelOptions, LoadedModel } from './model/load-model.ts';
export { createTokenizer } from './tokenizer/create-tokenizer.ts';
export type { Tokenizer } from './tokenizer/tokenizer.ts';
export type { CallDelta, ParsedDelta } from './parsers/delta.ts';
export { allFormats, chooseFormats, reasoningParserNames, toolParserNames } from './parsers/registry.ts';
export { createSession } from './parsers/session.ts';
export type { ParserSession, SessionFormats, SessionState } from './parsers/session.ts';
export { createRenderService } from './render/render-service.ts';
export type { RenderService } from './render/render-service.ts';
export { createDerenderService } from './derender/service.ts';
export type { DerenderService } from './derender/service.ts';
export { buildApp } from './http/app.ts';
export type { AppOptions } from './http/app.ts';
export { compileTemplate } from './template/index.ts';
