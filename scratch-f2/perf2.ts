import { allFormats, chooseFormats } from '../src/parsers/registry.ts';
import { createSession } from '../src/parsers/session.ts';
import { contextOf, vocabularyOf, addedTokensOf } from '../test/parsers/vectors.ts';
const TOK: Record<string, string> = { k2_horizon: 'combined_ifm', hunyuan_a13b: 'combined_hunyuan', poolside_v1: 'combined_poolside' };
for (const f of allFormats()) {
  if (f.kind !== 'tool') continue;
  const at0 = f.sample.indexOf('Oslo') >= 0 ? f.sample.indexOf('Oslo') : f.sample.indexOf('Bergen');
  if (at0 < 0) { console.log(f.name, 'no sample value'); continue; }
  const tk = TOK[f.name] ?? 'combined';
  const v: any = { server: { tokenizer: tk, tool_parser: f.name }, chat_request: { tools: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } }], chat_template_kwargs: { thinking: true, enable_thinking: true } }, finish_reason: 'stop' };
  const s = createSession(chooseFormats(f.name, null)!, contextOf(v, 'stream'));
  let state: any = s.init([]);
  const toks = addedTokensOf(tk).sort((a, b) => b.length - a.length);
  const head = f.sample.slice(0, at0 + 4);
  for (let at = 0; at < head.length;) { const t = toks.find((c) => head.startsWith(c, at)); const p = t ?? head[at]!; s.push(state, [{ text: p, tokenId: t ? vocabularyOf(tk).tokenToId(t)! : null }], false); at += p.length; }
  const words = [' the', ' b', ' y', ' call', '.', '1', ' {', ' }', ' [', ' <', ' ,'];
  const times: number[] = []; const sizes: number[] = [];
  let given = 0;
  for (let i = 0; i < 12000; i++) {
    const t = performance.now();
    const cur: any = s.stateSchema.parse(state);
    const d = s.push(cur, [{ text: words[i % words.length]!, tokenId: null }], false);
    given += d.toolCalls.reduce((n, c) => n + (c.arguments?.length ?? 0), 0);
    state = cur;
    times.push(performance.now() - t);
    if (i === 100 || i === 10000) sizes.push(JSON.stringify(state).length);
  }
  const med = (a: number[]) => a.sort((x, y) => x - y)[Math.floor(a.length / 2)]!;
  const a = med(times.slice(2000, 2400)), b = med(times.slice(10000, 12000));
  console.log(f.name.padEnd(18), (a * 1000).toFixed(1).padStart(8), (b * 1000).toFixed(1).padStart(8), (b / a).toFixed(2), sizes.join(' '), given > 1000 ? 'streams' : 'holds');
}
