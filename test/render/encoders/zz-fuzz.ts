import { readFileSync } from 'node:fs';
import { loads } from '../../../src/core/python-json.ts';
import { typescriptType } from '../../../src/render/encoders/harmony/typescript-types.ts';
let bad = 0,
  n = 0;
for (const c of loads(readFileSync(process.argv[2]!, 'utf8')) as Map<string, unknown>[]) {
  n++;
  let got: string;
  try {
    got = `type f = (_: ${typescriptType(c.get('schema'), '')}) => any;`;
  } catch (e) {
    got = 'ERR ' + e;
  }
  const want = c.get('text') ?? 'ERR';
  if (got !== want) {
    bad++;
    if (bad < 4) {
      console.log(JSON.stringify(c.get('schema'), (_k, v) => (v instanceof Map ? Object.fromEntries(v) : v)));
      console.log('WANT', want, c.get('error'));
      console.log('GOT', got);
    }
  }
}
console.log(n, 'bad', bad);
