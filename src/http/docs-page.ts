/** Style and script stand in the page itself, so that it works where nothing outside can be reached. */
const STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem }
details { border: 1px solid #8884; border-radius: 6px; margin: .4rem 0 }
summary { cursor: pointer; padding: .4rem .7rem }
summary b { display: inline-block; width: 3.2rem }
summary code { margin-right: .7rem }
section { padding: 0 .7rem .7rem }
pre, textarea { background: #8881; border: 0; border-radius: 4px; padding: .6rem; overflow: auto; max-height: 24rem; font: 13px/1.4 ui-monospace, monospace }
textarea { width: 100%; height: 10rem; box-sizing: border-box; color: inherit }
table { border-collapse: collapse; font-size: 13px }
td { padding: .1rem .8rem .1rem 0; vertical-align: top }
`;

const SCRIPT = `
const make = (name, text) => { const node = document.createElement(name); if (text !== undefined) node.textContent = text; return node };
const pretty = (value) => JSON.stringify(value, null, 2);
const typeOf = (schema) => {
  if (schema.$ref) return schema.$ref.split('/').pop();
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((item) => JSON.stringify(item)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array') return 'list of ' + typeOf(schema.items ?? {});
  return [schema.type ?? 'any'].flat().join(' | ');
};
const members = (schema) => {
  const table = make('table');
  for (const form of schema.anyOf ?? [schema]) for (const [name, member] of Object.entries(form.properties ?? {})) {
    const row = table.insertRow();
    row.insertCell().append(make('code', name + (form.required?.includes(name) ? '' : '?')));
    row.insertCell().textContent = typeOf(member);
    row.insertCell().textContent = member.description ?? '';
  }
  return table;
};
const tryIt = (root, path, method, example) => {
  const section = make('section'); const button = make('button', 'Send'); const answer = make('pre'); answer.hidden = true;
  const area = make('textarea'); area.spellcheck = false; area.value = example === undefined ? '{}' : pretty(example);
  if (method === 'post') section.append(area);
  const key = make('input'); key.placeholder = 'API key, if any'; key.type = 'password'; key.autocomplete = 'off';
  button.onclick = async () => {
    const headers = method === 'post' ? { 'content-type': 'application/json' } : {};
    if (key.value) headers.authorization = 'Bearer ' + key.value;
    const response = await fetch(root + path, { method: method.toUpperCase(), headers, ...(method === 'post' ? { body: area.value } : {}) });
    const text = await response.text(); let shown = text;
    try { shown = pretty(JSON.parse(text)) } catch {}
    answer.hidden = false; answer.textContent = response.status + ' ' + response.statusText + '\\n' + shown;
  };
  section.append(button, ' ', key, answer);
  return section;
};
const show = (api) => {
  const root = api.servers?.[0]?.url ?? '';
  document.querySelector('h1').textContent = api.info.title + ' ' + api.info.version;
  document.querySelector('p').textContent = api.info.description;
  for (const tag of api.tags) {
    document.body.append(make('h2', tag.name), make('div', tag.description));
    for (const [path, methods] of Object.entries(api.paths)) for (const [method, operation] of Object.entries(methods)) {
      if (!operation.tags.includes(tag.name)) continue;
      const box = make('details'); const head = make('summary'); const section = make('section');
      head.append(make('b', method.toUpperCase()), make('code', path), operation.summary);
      const body = operation.requestBody?.content['application/json'];
      if (body) { section.append(make('h4', 'Request'), members(body.schema)) }
      for (const [status, response] of Object.entries(operation.responses)) {
        section.append(make('h4', status + ' ' + response.description));
        const content = response.content?.['application/json'];
        if (content && status === '200') section.append(members(content.schema));
      }
      box.append(head, section, tryIt(root, path, method, body?.example)); document.body.append(box);
    }
  }
};
fetch(document.body.dataset.document).then((response) => response.json()).then(show).catch((error) => { document.querySelector('p').textContent = String(error) });
`;

/** A page that shows an OpenAPI document and sends requests by hand. @param documentUrl where the document is */
export function docsPage(documentUrl: string): string {
  const url = documentUrl.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>derender-server</title>
<style>${STYLE}</style></head>
<body data-document="${url}"><h1>derender-server</h1><p>Loading ...</p><script type="module">${SCRIPT}</script></body></html>
`;
}
