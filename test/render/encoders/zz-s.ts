import { readFileSync } from 'node:fs';
import { loads } from '../../../src/core/python-json.ts';
import { isSchema } from '../../../src/render/encoders/mistral/json-schema-check.ts';
let bad = 0;
for (const [s, ok] of loads(readFileSync('/tmp/w/enc/schemas.json', 'utf8')) as any)
  if (isSchema(s) !== ok) {
    if (bad++ < 5)
      console.log(
        JSON.stringify(s, (_k, v) => (v instanceof Map ? Object.fromEntries(v) : v)),
        ok,
      );
  }
console.log('bad', bad);
