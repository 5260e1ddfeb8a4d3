import { readFileSync } from 'node:fs';
import { chooseFormats } from '../src/parsers/registry.ts';
import { createSession } from '../src/parsers/session.ts';
import { addedTokensOf, contextOf, vocabularyOf } from '../test/parsers/vectors.ts';
const mine = process.argv[2]!.split(',');
function pieces(text: string, tokenizer: string) {
  const vocabulary = vocabularyOf(tokenizer);
  const tokens = addedTokensOf(tokenizer).sort((a, b) => b.length - a.length);
  const out: any[] = [];
  for (let at = 0; at < text.length;) {
    const token = tokens.find((c) => text.startsWith(c, at));
    const piece = token ?? (/^(\s?\w+|.)/su.exec(text.slice(at))![0]);
    out.push({ text: piece, tokenId: token === undefined ? null : vocabulary.tokenToId(token) ?? null });
    at += piece.length;
  }
  return out;
}
const args = (s: string) => { try { return JSON.stringify(JSON.parse(s)); } catch { return s; } };
const norm = (a: any) => JSON.stringify({ c: (a.content ?? '').trim(), r: (a.reasoning ?? '').trim(), t: (a.tool_calls ?? []).map((t: any) => [t.name ?? t[0] ?? t.function?.name, args(t.arguments ?? t[1] ?? t.function?.arguments ?? '')]) });
let n = 0, ok = 0;
for (const line of readFileSync('/work/shared/conformance/peers/dynamo.jsonl', 'utf8').split('\n').filter(Boolean)) {
  const d = JSON.parse(line);
  if (!mine.includes(d.vllm_parser)) continue;
  const answers = Object.entries(d.expected).filter(([, v]: any) => v && !v.error && !v.unavailable);
  const set = new Set(answers.map(([, v]) => norm(v)));
  if (set.size !== 1 || answers.length < 2) continue;
  n++;
  const v: any = { server: { tokenizer: d.ref_tokenizer, ...(d.kind === 'tool' ? { tool_parser: d.vllm_parser } : { reasoning_parser: d.vllm_parser }) }, chat_request: { tools: (d.tools ?? []).map((t: any) => ({ type: 'function', function: t })), chat_template_kwargs: d.chat_template_kwargs }, finish_reason: d.finish_reason };
  const formats = chooseFormats(d.kind === 'tool' ? d.vllm_parser : null, d.kind === 'tool' ? null : d.vllm_parser)!;
  const text = d.text ?? d.chunks.join('');
  const ps = pieces(text, d.ref_tokenizer);
  const one = createSession(formats, contextOf(v, 'one-shot')).complete(ps, []);
  const oneN = norm({ content: one.content, reasoning: one.reasoning, tool_calls: one.toolCalls });
  const s = createSession(formats, contextOf(v, 'stream'));
  const st = s.init([]);
  const sum: any = { content: '', reasoning: '', tool_calls: [] };
  ps.forEach((p, i) => { const dd = s.push(st, [p], i === ps.length - 1); sum.content += dd.content ?? ''; sum.reasoning += dd.reasoning ?? ''; for (const c of dd.toolCalls) { const slot = (sum.tool_calls[c.index] ??= { name: '', arguments: '' }); slot.name += c.name ?? ''; slot.arguments += c.arguments ?? ''; } });
  const want = [...set][0];
  const good = oneN === want && norm(sum) === want;
  if (good) ok++; else console.log(d.id, JSON.stringify(text), '\n   want', want, '\n   one ', oneN, '\n   strm', norm(sum), '\n   ref', d.ref_0_33?.one_shot, d.ref_0_33?.stream, JSON.stringify(d.ref_0_33?.stream_answer));
}
console.log(n, ok);
