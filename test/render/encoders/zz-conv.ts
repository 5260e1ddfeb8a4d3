import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { loads, type PythonValue } from '../../../src/core/python-json.ts';
import { encodeRecorded, type RecordedChat } from './recorded-chats.ts';
import { createByteTokenizer, piecesOf } from './byte-tokenizer.ts';
import { createDeepseekV32Encoder } from '../../../src/render/encoders/deepseek/v32.ts';
import { createDeepseekV4Encoder } from '../../../src/render/encoders/deepseek/v4.ts';
import { createDeepseekV41Encoder } from '../../../src/render/encoders/deepseek/v41.ts';
import { createInklingEncoder } from '../../../src/render/encoders/inkling/inkling.ts';
import { createHarmonyEncoder } from '../../../src/render/encoders/harmony/harmony.ts';
import { createMistralEncoder } from '../../../src/render/encoders/mistral/mistral.ts';
import { readModelSettings } from '../../../src/render/encoders/mistral/model-settings.ts';
const HS = ['<|start|>', '<|message|>', '<|channel|>', '<|constrain|>', '<|end|>', '<|call|>'];
const IS = [
  ...['user', 'model', 'system', 'tool'].map((r) => `<|message_${r}|>`),
  ...['text', 'thinking', 'xml', 'invoke_tool_json', 'model_end_sampling'].map((k) => `<|content_${k}|>`),
  '<|end_message|>',
];
const MS =
  '<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT] [ARGS] [CALL_ID] [MODEL_SETTINGS] [/MODEL_SETTINGS] [THINK] [/THINK]'.split(
    ' ',
  );
const EFFORT = { reasoning_effort: { type: 'enum', accepts_none: true, default: 'high', values: ['none', 'high'] } };
const make: Record<string, [any, string[]]> = {
  deepseek_v32: [createDeepseekV32Encoder(), []],
  deepseek_v4: [createDeepseekV4Encoder(), []],
  deepseek_v41: [createDeepseekV41Encoder(), []],
  inkling: [createInklingEncoder(createByteTokenizer(IS)), IS],
  harmony: [createHarmonyEncoder(createByteTokenizer(HS), () => new Date(2026, 2, 4)), HS],
};
for (const v of [1, 2, 3, 7, 11, 13, 15] as const)
  make[`mistral-v${v}`] = [
    createMistralEncoder(createByteTokenizer(MS), { version: v, isTekken: true, settings: v === 15 ? readModelSettings(EFFORT) : null }),
    MS,
  ];
try {
  const { createCohereEncoder } = await import('../../../src/render/encoders/cohere/cohere.ts' as string);
  make['cohere'] = [createCohereEncoder(), []];
} catch {}
function rv(value: PythonValue): unknown {
  if (Array.isArray(value)) return value.map(rv);
  if (!(value instanceof Map)) return value;
  const ms = [...value].map(([k, m]) => [k, rv(m)] as const);
  return ms.some(([k]) => /^\d+$/.test(k)) ? new Map(ms) : Object.fromEntries(ms);
}
for (const name of process.argv.slice(2)) {
  const chats = rv(loads(gunzipSync(readFileSync(`/tmp/w/enc/dbg/${name}.json.gz`)).toString())) as (RecordedChat & {
    error?: { message: string };
  })[];
  let bad = 0,
    ok = 0;
  const [enc, specials] = make[name]!;
  for (const chat of chats) {
    let got: any;
    try {
      got = await encodeRecorded(enc, chat);
    } catch (e) {
      got = { crash: String(e) };
    }
    if (got.tokenIds) got = { pieces: piecesOf(got.tokenIds, specials) };
    const want = chat.error
      ? {
          error: {
            status: chat.error.status >= 500 ? 400 : chat.error.status,
            type: chat.error.status >= 500 ? 'BadRequestError' : chat.error.type,
            param: chat.error.param,
          },
        }
      : chat.text !== undefined
        ? { text: chat.text, addSpecialTokens: false }
        : { pieces: chat.pieces!.filter((p) => p[0] !== '') };
    if (!chat.error) ok++;
    if (
      JSON.stringify(got) !== JSON.stringify(want) &&
      JSON.stringify({ text: got.text, addSpecialTokens: got.addSpecialTokens }) !== JSON.stringify(want)
    ) {
      bad++;
      if (bad <= Number(process.env.N ?? 2) && got.text && chat.text) { let i = 0; while (got.text[i] === chat.text[i]) i++; console.log('---', chat.id, JSON.stringify(chat.input.requestTemplateKwargs)); console.log(' W', JSON.stringify(chat.text.slice(i - 60, i + 80))); console.log(' G', JSON.stringify(got.text.slice(i - 60, i + 80))); } else if (bad <= Number(process.env.N ?? 2)) {
        console.log('---', name, chat.id, JSON.stringify(chat.input.messages).slice(0, 1500));
        console.log('WANT', JSON.stringify(want).slice(-900), chat.error?.message);
        console.log('GOT ', JSON.stringify(got).slice(-900));
      }
    }
  }
  console.log(name, chats.length, 'rendered', ok, 'bad', bad);
}
