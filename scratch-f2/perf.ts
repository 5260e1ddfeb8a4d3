import { allFormats, chooseFormats } from '../src/parsers/registry.ts';
import { createSession } from '../src/parsers/session.ts';
import { contextOf } from '../test/parsers/vectors.ts';
const TOK: Record<string, string> = { k2_horizon: 'combined_ifm', hunyuan_a13b: 'combined_hunyuan', poolside_v1: 'combined_poolside', hy_v4: 'combined_hy4' };
for (const f of allFormats()) {
  const v: any = { server: { tokenizer: TOK[f.name] ?? 'combined', ...(f.kind === 'tool' ? { tool_parser: f.name } : f.kind === 'reasoning' ? { reasoning_parser: f.name } : { tool_parser: f.toolNames[0] }) }, chat_request: { tools: [{ type: 'function', function: { name: 'f' } }], chat_template_kwargs: { thinking: true, enable_thinking: true } }, finish_reason: 'stop' };
  let s; try { s = createSession(chooseFormats(v.server.tool_parser ?? null, v.server.reasoning_parser ?? null)!, contextOf(v, 'stream')); } catch (e: any) { console.log(f.name, e.message); continue; }
  let state: any = s.init([]);
  const words = [' the', ' <', ' b', ' {', '"x"', ' y', '\n', ' call', '.', ' [', '1', ']'];
  const times: number[] = []; const sizes: number[] = [];
  for (let i = 0; i < 12000; i++) {
    const t = performance.now();
    const cur: any = s.stateSchema.parse(state);
    s.push(cur, [{ text: words[i % words.length]!, tokenId: null }], false);
    state = cur;
    times.push(performance.now() - t);
    if (i === 100 || i === 10000) sizes.push(JSON.stringify(state).length);
  }
  const med = (a: number[]) => a.sort((x, y) => x - y)[Math.floor(a.length / 2)]!;
  const a = med(times.slice(2000, 2400)), b = med(times.slice(10000, 12000));
  if (b / a > 1.4 || sizes[1]! > sizes[0]! * 1.5 + 50) console.log(f.name, f.kind, (a * 1000).toFixed(1), (b * 1000).toFixed(1), (b / a).toFixed(2), sizes);
}
