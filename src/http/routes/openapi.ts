import type { Settings } from '../../core/settings.ts';
import { docsPage } from '../docs-page.ts';
import { openApiDocument } from '../openapi.ts';
import type { Route } from '../route.ts';

/** `GET /openapi.json`, made at the first request, and `GET /docs`, a page that shows it. Not among the routes they describe. */
export function openApiRoutes(described: readonly Route[], settings: Settings, version: string): Route[] {
  let document: unknown;
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      takesJson: false,
      handle: () => ({ json: (document ??= openApiDocument(described, settings, version)) }),
    },
    {
      method: 'GET',
      path: '/docs',
      takesJson: false,
      handle: () => ({ text: docsPage(`${settings.rootPath}/openapi.json`), contentType: 'text/html; charset=utf-8' }),
    },
  ];
}
