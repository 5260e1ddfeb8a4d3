import { z } from 'zod';
import type { Settings } from '../core/settings.ts';
import type { Route, RouteDocumentation } from './route.ts';

type JsonSchema = Record<string, unknown>;

const errorObject = z
  .object({
    error: z.object({
      message: z.string(),
      type: z
        .string()
        .meta({ description: 'Kind of error, for example `BadRequestError`; `Bad Request` where the body does not match the types.' }),
      param: z.string().nullable().meta({ description: 'The member of the request that is wrong, where one can be named.' }),
      code: z.int().meta({ description: 'The HTTP status.' }),
    }),
  })
  .meta({ description: 'An error of this server.' });
const frameworkError = z.object({ detail: z.string() }).meta({ description: 'The body cannot be read at all.' });
const unauthorized = z.object({ error: z.literal('Unauthorized') });

const ERROR_EXAMPLE = {
  error: { message: 'The model `x` does not exist. This server serves: m.', type: 'NotFoundError', param: 'model', code: 404 },
};

/** A schema with its shared parts moved to `#/components/schemas`, under names that begin with `prefix`. */
function schemaOf(type: z.ZodType, io: 'input' | 'output', prefix: string, components: Record<string, unknown>): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io, unrepresentable: 'any' }) as JsonSchema;
  const text = JSON.stringify(schema).replaceAll('#/$defs/', `#/components/schemas/${prefix}`);
  const { $defs, ...rest } = JSON.parse(text) as JsonSchema;
  for (const [name, part] of Object.entries(($defs ?? {}) as JsonSchema)) components[`${prefix}${name}`] = part;
  return rest;
}

function errorAnswer(description: string, schema: JsonSchema, example?: unknown): unknown {
  return { description, content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } };
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function operation(route: Route, documentation: RouteDocumentation, settings: Settings, components: Record<string, unknown>): unknown {
  const { takesJson, path, method } = route;
  const name = `${method.toLowerCase()}${path.replaceAll(/\W+(\w?)/g, (_match, first: string) => first.toUpperCase())}`;
  const responses: Record<string, unknown> = {};
  if (documentation.response) {
    responses['200'] = {
      description: 'Success',
      content: { 'application/json': { schema: schemaOf(documentation.response, 'output', `${name}Answer`, components) } },
    };
  } else if (documentation.contentType) {
    responses['200'] = { description: 'Success', content: { [documentation.contentType]: { schema: { type: 'string' } } } };
  } else responses['200'] = { description: 'Success, with an empty body' };
  if (takesJson) {
    responses['400'] = errorAnswer('The request is refused.', { anyOf: [reference('Error'), reference('UnreadableBody')] });
    responses['404'] = errorAnswer('The model is not served here.', reference('Error'), ERROR_EXAMPLE);
    responses['413'] = errorAnswer('The body is too large.', reference('Error'));
    responses['500'] = errorAnswer('A fault of the server.', reference('Error'));
  }
  const guarded = settings.apiKeys.length > 0 && path.startsWith('/v1');
  if (guarded) responses['401'] = errorAnswer('No valid key was given.', reference('Unauthorized'));
  const request = documentation.request && {
    required: true,
    content: {
      'application/json': {
        schema: schemaOf(documentation.request, 'input', `${name}Request`, components),
        ...(documentation.example === undefined ? {} : { example: documentation.example }),
      },
    },
  };
  return {
    operationId: name,
    summary: documentation.summary,
    tags: [documentation.tag],
    ...(request ? { requestBody: request } : {}),
    ...(guarded ? { security: [{ bearer: [] }] } : {}),
    responses,
  };
}

/** The OpenAPI 3.1 document of the routes, made from the schemas that check their requests. */
export function openApiDocument(routes: readonly Route[], settings: Settings, version: string): unknown {
  const components: Record<string, unknown> = {
    Error: schemaOf(errorObject, 'output', 'Error', {}),
    UnreadableBody: schemaOf(frameworkError, 'output', 'UnreadableBody', {}),
    Unauthorized: schemaOf(unauthorized, 'output', 'Unauthorized', {}),
  };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (!route.documentation) continue;
    const methods = (paths[route.path] ??= {});
    methods[route.method.toLowerCase()] = operation(route, route.documentation, settings, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'derender-server',
      version,
      description: 'Turns chat requests into token ids (render) and token ids into OpenAI-shaped answers (derender), without a GPU.',
    },
    ...(settings.rootPath === '' ? {} : { servers: [{ url: settings.rootPath }] }),
    tags: [
      { name: 'Render', description: 'From a request to the token ids that an engine takes.' },
      { name: 'Derender', description: 'From the token ids of an engine to the answer that a client expects.' },
      { name: 'Tokenizer', description: 'Text and token ids.' },
      { name: 'Server', description: 'Health, metrics and facts.' },
    ],
    paths,
    components: {
      schemas: components,
      ...(settings.apiKeys.length > 0 ? { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } : {}),
    },
  };
}
