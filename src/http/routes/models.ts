import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Route } from '../route.ts';
import type { ServedModel } from '../services.ts';

const permission = z.object({
  id: z.string(),
  object: z.literal('model_permission'),
  created: z.int(),
  allow_create_engine: z.boolean(),
  allow_sampling: z.boolean(),
  allow_logprobs: z.boolean(),
  allow_search_indices: z.boolean(),
  allow_view: z.boolean(),
  allow_fine_tuning: z.boolean(),
  organization: z.string(),
  group: z.string().nullable(),
  is_blocking: z.boolean(),
});

const modelList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: z.string().meta({ description: 'Name to be used as `model` in requests.' }),
      object: z.literal('model'),
      created: z.int(),
      owned_by: z.string(),
      root: z.string().meta({ description: 'Directory or hub id of the model.' }),
      parent: z.string().nullable(),
      max_model_len: z.int(),
      permission: z.array(permission),
    }),
  ),
});

type ModelList = z.infer<typeof modelList>;

function listModels(model: ServedModel): ModelList {
  const created = Math.floor(Date.now() / 1000);
  return {
    object: 'list',
    data: model.names.map((id) => ({
      id,
      object: 'model',
      created,
      owned_by: 'vllm',
      root: model.root,
      parent: null,
      max_model_len: model.maxModelLen,
      permission: [
        {
          id: `modelperm-${randomUUID().replaceAll('-', '').slice(0, 16)}`,
          object: 'model_permission',
          created,
          allow_create_engine: false,
          allow_sampling: true,
          allow_logprobs: true,
          allow_search_indices: false,
          allow_view: true,
          allow_fine_tuning: false,
          organization: '*',
          group: null,
          is_blocking: false,
        },
      ],
    })),
  };
}

/** `GET /v1/models`: one entry for each served name. */
export function modelsRoute(model: ServedModel): Route {
  return {
    method: 'GET',
    path: '/v1/models',
    takesJson: false,
    documentation: { summary: 'Served model names', tag: 'Server', response: modelList },
    handle: () => ({ json: listModels(model) }),
  };
}
