import { allFormats, chooseFormats } from '../src/parsers/registry.ts';
import { createSession } from '../src/parsers/session.ts';
import { addedTokensOf, contextOf, vocabularyOf } from '../test/parsers/vectors.ts';
const only = process.argv[2] && process.argv[2] !== 'all' ? process.argv[2].split(',') : null;
const RUNS = Number(process.argv[3] ?? 300);
let seed = Number(process.argv[4] ?? 1);
const rnd = () => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return seed / 0x7fffffff; };
const pick = <T,>(a: readonly T[]): T => a[Math.floor(rnd() * a.length)]!;
const GENERIC = ['{', '}', '[', ']', '"', ',', ':', ' ', '\n', '\\', "'", '(', ')', '=', 'name', 'arguments', '"name": "f"', '"arguments": {', '"a": 1', 'null', 'True', '1.5', '-', 'é', '👩‍🔬', '\u{1F3D4}', '<', '>', '</', '<|', '|>', '`', '```', 'json', '\t', '\u0000', '\ud83d', '__proto__', 'constructor', '0', 'f', 'x'];
const TOOLS = [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { a: { type: 'integer' }, s: { type: 'string' }, o: { type: 'object' } } } } }, { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } }];
const TOKENIZERS: Record<string, string> = { k2_horizon: 'combined_ifm', hunyuan_a13b: 'combined_hunyuan', poolside_v1: 'combined_poolside', openai: 'gptoss_harmony', openai_gptoss: 'gptoss_harmony', hf: 'combined_hf', beam: 'combined_beam', kimi_k2: 'combined_kimi_k2', plamo3: 'combined_plamo' };
function fragments(sample: string): string[] {
  const tags = sample.match(/<[^<>\n]{1,40}>|\[[A-Z_]+\]|<\|[^|]*\|>/g) ?? [];
  const words = sample.split(/(\s+|[<>{}[\]"(),:=])/).filter(Boolean);
  return [...tags, ...tags, ...tags, ...words, sample, sample.slice(0, Math.floor(sample.length / 2)), sample.slice(Math.floor(sample.length / 2))];
}
function toPieces(text: string, tokenizer: string, cache: string[]) {
  const vocabulary = vocabularyOf(tokenizer);
  const out: any[] = [];
  for (let at = 0; at < text.length;) {
    const token = cache.find((c) => text.startsWith(c, at));
    let piece = token;
    if (!piece) { piece = ''; const len = 1 + Math.floor(rnd() * 4); for (const ch of text.slice(at, at + 12)) { if (piece.length >= len || (piece && cache.some((c) => text.startsWith(c, at + piece!.length)))) break; piece += ch; } }
    out.push({ text: piece, tokenId: token === undefined ? null : vocabulary.tokenToId(token) ?? null });
    if (rnd() < 0.05) out.push({ text: '', tokenId: null });
    at += piece.length;
  }
  return out;
}
let bad = 0;
for (const format of allFormats()) {
  const names: [string | null, string | null][] = format.kind === 'tool' ? [[format.name, null]] : format.kind === 'reasoning' ? [[null, format.name]] : [[format.toolNames[0]!, format.reasoningNames[0]!]];
  const [tool, reasoning] = names[0]!;
  if (only && !only.includes(format.name) && !only.includes(tool ?? '') && !only.includes(reasoning ?? '')) continue;
  const tokenizer = TOKENIZERS[format.name] ?? 'combined';
  const cache = addedTokensOf(tokenizer).sort((a, b) => b.length - a.length);
  const frag = fragments(format.sample);
  let fails = 0;
  const t0 = Date.now();
  for (let run = 0; run < RUNS && fails < 3; run++) {
    const n = 1 + Math.floor(rnd() * 25);
    let text = rnd() < 0.4 ? format.sample.slice(0, Math.floor(rnd() * (format.sample.length + 1))) : '';
    for (let i = 0; i < n; i++) text += rnd() < 0.6 ? pick(frag) : pick(GENERIC);
    const v: any = { server: { tokenizer, ...(tool ? { tool_parser: tool } : {}), ...(reasoning ? { reasoning_parser: reasoning } : {}) }, chat_request: { tools: TOOLS, chat_template_kwargs: rnd() < 0.5 ? { thinking: true, enable_thinking: true, reasoning_effort: 'high' } : {}, tool_choice: pick(['auto', 'auto', 'auto', 'required', 'none', { function: { name: 'f' } }]) }, finish_reason: 'stop' };
    const withTool = format.kind === 'reasoning' && rnd() < 0.5 ? 'hermes' : null;
    if (withTool) v.server.tool_parser = withTool;
    const formats = chooseFormats(v.server.tool_parser ?? null, v.server.reasoning_parser ?? null)!;
    const ps = toPieces(text, tokenizer, cache);
    const runOnce = (lens: () => number) => {
      const s = createSession(formats, contextOf(v, 'stream'));
      let state = JSON.stringify(s.init([]));
      const sum: any = { c: '', r: '', t: [] };
      for (let at = 0; at < ps.length || at === 0;) {
        const len = lens(); const cur: any = s.stateSchema.parse(JSON.parse(state));
        const last = at + len >= ps.length;
        const d = s.push(cur, ps.slice(at, at + len), last); state = JSON.stringify(cur);
        at += len;
        sum.c += d.content ?? ''; sum.r += d.reasoning ?? '';
        for (const c of d.toolCalls) { const slot = (sum.t[c.index] ??= ['', '', 0]); if (c.starts) slot[2]++; slot[0] += c.name ?? ''; slot[1] += c.arguments ?? ''; }
        if (last) break;
      }
      return sum;
    };
    try {
      const a = runOnce(() => 1), b = runOnce(() => 1 + Math.floor(rnd() * 6)), c = runOnce(() => 1e9);
      const s = createSession(formats, contextOf(v, 'one-shot')).complete(ps, []);
      if (JSON.stringify(a) !== JSON.stringify(b) || JSON.stringify(a) !== JSON.stringify(c)) { fails++; console.log(format.name, 'DISAGREE', v.chat_request.tool_choice, JSON.stringify(text), process.env.P ? JSON.stringify(ps.map((p: any) => p.text)) : '', '\n  1  ', JSON.stringify(a), '\n  mix', JSON.stringify(b), '\n  all', JSON.stringify(c)); }
      if (a.t.some((x: any) => !x || x[2] !== 1)) { fails++; console.log(format.name, 'STARTS', JSON.stringify(text), JSON.stringify(a)); }
      void s;
    } catch (e: any) {
      if (e.status === 400) continue;
      fails++; console.log(format.name, 'THROWS', v.chat_request.tool_choice, JSON.stringify(text), String(e.message).slice(0, 500), e.stack?.split('\n').slice(1, 4).join('|'));
    }
  }
  bad += fails;
  if (Date.now() - t0 > 4000) console.log(format.name, 'slow', Date.now() - t0);
}
console.log('bad', bad);
