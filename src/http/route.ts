import type { z } from 'zod';

/** A request to a JSON route, its body read but not checked. */
export interface RouteRequest {
  /** Undefined for an empty body. */
  body: unknown;
  /** The body's text, for what JavaScript values lose. */
  text: string;
  /** The `X-Request-Id` header, or null. */
  requestId: string | null;
}

/** What a route answers with status 200: JSON, a chunk of a stream with its state, nothing, or text of a type of its own. */
export type RouteAnswer = { json: unknown } | { stream: StreamedAnswer } | { empty: true } | { text: string; contentType: string };

/** What one chunk gives the client, and what it sends back with the next one. */
interface StreamedAnswer {
  stream_state: object;
}

/** How a route shows in the OpenAPI document. */
export interface RouteDocumentation {
  summary: string;
  tag: 'Render' | 'Derender' | 'Tokenizer' | 'Server';
  /** Schema of the body; absent where the route takes none. */
  request?: z.ZodType;
  /** Schema of the JSON answer; absent where the answer is empty or text. */
  response?: z.ZodType;
  /** Type of an answer that is not JSON. */
  contentType?: string;
  /** An example body. */
  example?: unknown;
}

/** One method and path. */
export interface Route {
  method: 'GET' | 'POST';
  path: string;
  /** Whether the body must be JSON and is read. */
  takesJson: boolean;
  /** Absent for routes that the OpenAPI document leaves out. */
  documentation?: RouteDocumentation;
  handle(request: RouteRequest): RouteAnswer | Promise<RouteAnswer>;
}
