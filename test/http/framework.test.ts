import { describe, expect, it } from 'vitest';
import { fakeApp } from './fake-app.ts';

const json = { 'content-type': 'application/json' };

describe('requests that no route matches', () => {
  it.each([
    ['GET', '/nope', 404, { detail: 'Not Found' }],
    ['GET', '//health', 404, { detail: 'Not Found' }],
    ['GET', '/Health', 404, { detail: 'Not Found' }],
    ['GET', '/v1/models/m', 404, { detail: 'Not Found' }],
    ['GET', '/%zz', 404, { detail: 'Not Found' }],
    ['POST', '/v1/chat/completions', 404, { detail: 'Not Found' }],
    ['POST', '/health', 405, { detail: 'Method Not Allowed' }],
    ['GET', '/tokenize', 405, { detail: 'Method Not Allowed' }],
    ['OPTIONS', '/tokenize', 405, { detail: 'Method Not Allowed' }],
    ['DELETE', '/version', 405, { detail: 'Method Not Allowed' }],
  ] as const)('%s %s: %i', async (method, url, status, body) => {
    const answer = await fakeApp().inject({ method, url });
    expect([answer.statusCode, answer.json(), answer.headers['content-type']]).toEqual([status, body, 'application/json']);
  });

  it('names the methods that a path takes', async () => {
    const app = fakeApp();
    expect((await app.inject({ method: 'POST', url: '/health' })).headers.allow).toBe('GET');
    expect((await app.inject({ method: 'DELETE', url: '/ping' })).headers.allow).toBe('GET, POST');
  });

  it('refuses HEAD with an empty body', async () => {
    const answer = await fakeApp().inject({ method: 'HEAD', url: '/health' });
    expect([answer.statusCode, answer.body, answer.headers.allow]).toEqual([405, '', 'GET']);
  });

  it('refuses a method that a path does not take whatever its body', async () => {
    const answer = await fakeApp().inject({
      method: 'POST',
      url: '/nope',
      headers: { 'content-type': 'text/plain' },
      payload: 'x'.repeat(100),
    });
    expect(answer.statusCode).toBe(404);
  });

  it('redirects where only the slash at the end differs', async () => {
    const answer = await fakeApp().inject({ method: 'GET', url: '/health/?a=1', headers: { host: 'there:81' } });
    expect([answer.statusCode, answer.body, answer.headers.location]).toEqual([307, '', 'http://there:81/health?a=1']);
  });
});

describe('answers without content', () => {
  it.each(['/health', '/ping'])('%s', async (url) => {
    const answer = await fakeApp().inject({ method: 'GET', url });
    expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([200, '', undefined]);
  });

  it('POST /ping takes any body', async () => {
    const app = fakeApp();
    for (const payload of ['', '{}', '<']) {
      const answer = await app.inject({ method: 'POST', url: '/ping', headers: json, payload });
      expect([answer.statusCode, answer.body]).toEqual([200, '']);
    }
  });
});

describe('bodies', () => {
  const post = (payload: string | Buffer, headers: Record<string, string> = json, ...flags: string[]) =>
    fakeApp(...flags).inject({ method: 'POST', url: '/tokenize', headers, payload });

  it.each([
    ['Application/JSON', 200],
    ['application/json; charset=utf-8', 200],
    ['application/json ;charset=utf-8', 400],
    ['application/vnd.api+json', 400],
    ['text/plain', 400],
    ['nonsense', 400],
  ])('of type %s: %i', async (type, status) => {
    const answer = await post('{"prompt":"a"}', { 'content-type': type });
    expect(answer.statusCode).toBe(status);
    if (status === 400) expect(answer.json()).toMatchObject({ error: { type: 'Bad Request', param: null, code: 400 } });
  });

  it('without a type are refused', async () => {
    const answer = await fakeApp().inject({ method: 'POST', url: '/tokenize', payload: Buffer.from('{"prompt":"a"}') });
    expect([answer.statusCode, answer.json().error.param]).toEqual([400, null]);
  });

  it.each([
    ['{"model": "m", ', 'body.15'],
    ['{"a": 1,}', 'body.8'],
    ['{', 'body.1'],
    ['[1,]', 'body.3'],
    ['{"a" 1}', 'body.5'],
    ['{"a": [1 2]}', 'body.9'],
    ['{"😀": tru}', 'body.6'],
    ['{"a": "x', 'body.6'],
    ['{"a": "x\ny"}', 'body.8'],
    ['{"a": "\\q"}', 'body.7'],
    ['{"a": "\\u12"}', 'body.8'],
    ['{"a": "\\u1234', 'body.8'],
    ['{} x', 'body.3'],
    ['  ', 'body.2'],
    ['', 'body'],
    ['null', 'body'],
  ])('%s: the error is at %s', async (payload, param) => {
    const answer = await post(payload);
    expect([answer.statusCode, answer.json().error]).toEqual([400, expect.objectContaining({ type: 'Bad Request', code: 400, param })]);
  });

  it.each([
    ['nested too deeply', `{"prompt": "a", "x": ${'['.repeat(970)}${']'.repeat(970)}}`],
    ['with an endless integer', `{"a": ${'9'.repeat(5000)}}`],
    ['of bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('%s cannot be read', async (_name, payload) => {
    const answer = await post(payload);
    expect([answer.statusCode, answer.json()]).toEqual([400, { detail: 'There was an error parsing the body' }]);
  });

  it('may begin with a byte order mark, repeat members, hold NaN and integers of any size', async () => {
    expect((await post('\ufeff{"prompt":"a"}')).json().tokens).toEqual([97]);
    expect((await post('{"prompt":"a","prompt":"b"}')).json().tokens).toEqual([98]);
    expect((await post(`{"prompt":"a","x":[NaN,-Infinity,${'9'.repeat(400)},1e999]}`)).json().tokens).toEqual([97]);
    expect((await post(`{"prompt":"a","x":${'['.repeat(969)}NaN${']'.repeat(969)}}`)).json().tokens).toEqual([97]);
  });

  it('larger than the limit: 413', async () => {
    const answer = await post(JSON.stringify({ prompt: 'x'.repeat(2000) }), json, '--max-body-size', '1k');
    expect([answer.statusCode, answer.json().error]).toEqual([413, expect.objectContaining({ code: 413, param: null })]);
  });
});

describe('keys', () => {
  const ask = async (authorization: string | undefined, url = '/v1/models', method: 'GET' | 'OPTIONS' = 'GET'): Promise<number> =>
    (await fakeApp('--api-key', 'k1', 'k2').inject({ method, url, headers: authorization === undefined ? {} : { authorization } }))
      .statusCode;

  it('guard /v1 and nothing else', async () => {
    expect(await ask('Bearer k1')).toBe(200);
    expect(await ask('bearer k2')).toBe(200);
    for (const wrong of [undefined, '', 'Bearer', 'Bearer k3', 'Bearer  k1', 'Bearerk1', 'Basic k1', 'Bearer k1 '])
      expect(await ask(wrong)).toBe(401);
    expect(await ask(undefined, '/v1/none')).toBe(401);
    expect(await ask(undefined, '/health')).toBe(200);
    expect(await ask(undefined, '/v1/models', 'OPTIONS')).toBe(405);
  });

  it('are compared as UTF-8', async () => {
    const app = fakeApp('--api-key', 'schlüssel');
    const authorization = `Bearer ${Buffer.from('schlüssel', 'utf8').toString('latin1')}`;
    expect((await app.inject({ method: 'GET', url: '/v1/models', headers: { authorization } })).statusCode).toBe(200);
  });

  it('are asked for in one form of answer', async () => {
    const answer = await fakeApp('--api-key', 'k1').inject({ method: 'GET', url: '/v1/models' });
    expect(answer.json()).toEqual({ error: 'Unauthorized' });
  });
});

describe('request ids', () => {
  it('come back on every answer, and are made up where there is none', async () => {
    const app = fakeApp('--enable-request-id-headers', '--api-key', 'k');
    for (const url of ['/health', '/nope', '/v1/models']) {
      expect((await app.inject({ method: 'GET', url, headers: { 'x-request-id': 'rr' } })).headers['x-request-id']).toBe('rr');
      expect((await app.inject({ method: 'GET', url })).headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('stay away without the flag', async () => {
    expect(
      (await fakeApp().inject({ method: 'GET', url: '/health', headers: { 'x-request-id': 'rr' } })).headers['x-request-id'],
    ).toBeUndefined();
  });
});

describe('pages of other origins', () => {
  const headers = {
    origin: 'https://a.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };

  it('may call where they are allowed', async () => {
    const app = fakeApp('--allowed-origins', '["https://a.example"]');
    const preflight = await app.inject({ method: 'OPTIONS', url: '/tokenize', headers });
    expect([
      preflight.statusCode,
      preflight.headers['access-control-allow-origin'],
      preflight.headers['access-control-allow-headers'],
    ]).toEqual([200, 'https://a.example', 'content-type']);
    const answer = await app.inject({ method: 'GET', url: '/health', headers });
    expect([answer.headers['access-control-allow-origin'], answer.headers.vary]).toEqual(['https://a.example', 'Origin']);
    expect(
      (await app.inject({ method: 'GET', url: '/health', headers: { origin: 'https://b.example' } })).headers[
        'access-control-allow-origin'
      ],
    ).toBeUndefined();
  });

  it('may all call under *', async () => {
    const answer = await fakeApp('--allowed-origins', '["*"]').inject({ method: 'GET', url: '/health', headers });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  it('may not call by default', async () => {
    const preflight = await fakeApp().inject({ method: 'OPTIONS', url: '/tokenize', headers });
    expect([preflight.statusCode, preflight.body]).toEqual([400, 'Disallowed CORS origin']);
  });
});

describe('a path prefix', () => {
  it('may stand before every path, or be cut off by the proxy', async () => {
    const app = fakeApp('--root-path', '/llm/', '--api-key', 'k');
    for (const url of ['/llm/health', '/health']) expect((await app.inject({ method: 'GET', url })).statusCode).toBe(200);
    expect((await app.inject({ method: 'GET', url: '/llm/v1/models' })).statusCode).toBe(401);
    expect((await app.inject({ method: 'GET', url: '/llm/health/', headers: { host: 'h' } })).headers.location).toBe('http://h/llm/health');
    expect((await app.inject({ method: 'GET', url: '/llm/openapi.json' })).json().servers).toEqual([{ url: '/llm' }]);
  });
});

describe('facts', () => {
  it('/version, /load, /kv_event_sources', async () => {
    const app = fakeApp();
    expect((await app.inject({ method: 'GET', url: '/version' })).json()).toEqual({ version: '1.2.3', contract: 'vllm 0.33.0' });
    expect((await app.inject({ method: 'GET', url: '/load' })).json()).toEqual({ server_load: 0 });
    expect((await app.inject({ method: 'GET', url: '/kv_event_sources' })).json()).toEqual({});
  });

  it('/v1/models lists every name', async () => {
    const answer = await fakeApp('--served-model-name', 'm', 'alias').inject({ method: 'GET', url: '/v1/models' });
    expect(
      answer.json().data.map((entry: { id: string; root: string; max_model_len: number }) => [entry.id, entry.root, entry.max_model_len]),
    ).toEqual([
      ['m', 'somewhere', 100],
      ['alias', 'somewhere', 100],
    ]);
  });

  it('/metrics counts requests by path and status', async () => {
    const app = fakeApp();
    await app.inject({ method: 'GET', url: '/v1/models' });
    await app.inject({ method: 'POST', url: '/tokenize', headers: json, payload: '{' });
    const answer = await app.inject({ method: 'GET', url: '/metrics' });
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.body).toContain('http_requests_total{handler="/v1/models",method="GET",status="2xx"} 1');
    expect(answer.body).toContain('http_requests_total{handler="/tokenize",method="POST",status="4xx"} 1');
    expect(answer.body).toContain('process_resident_memory_bytes');
  });

  it('/openapi.json and /docs can be switched off', async () => {
    const app = fakeApp();
    expect((await app.inject({ method: 'GET', url: '/openapi.json' })).json()).toMatchObject({
      openapi: '3.1.0',
      paths: { '/tokenize': { post: {} } },
    });
    expect((await app.inject({ method: 'GET', url: '/docs' })).body).toContain('data-document="/openapi.json"');
    for (const flag of ['--disable-fastapi-docs', '--disable-docs']) {
      for (const url of ['/openapi.json', '/docs']) expect((await fakeApp(flag).inject({ method: 'GET', url })).statusCode).toBe(404);
    }
  });
});
