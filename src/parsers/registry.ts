import type { ReasoningFormat, ToolFormat, UnifiedFormat } from '../core/stream-parser.ts';
import type { SessionFormats } from './session.ts';
import { deepseekR1 } from './reasoning/deepseek-r1.ts';
import { deepseekV3Reasoning } from './reasoning/deepseek-v3.ts';
import { deepseekV4Reasoning } from './reasoning/deepseek-v4.ts';
import { deepseekV41Reasoning } from './reasoning/deepseek-v41.ts';
import { ernie45Reasoning } from './reasoning/ernie45.ts';
import { gemma4Reasoning } from './reasoning/gemma4.ts';
import { glm47Reasoning } from './reasoning/glm47.ts';
import { graniteThinking } from './reasoning/granite-thinking.ts';
import { graniteReasoning } from './reasoning/granite.ts';
import { holo2 } from './reasoning/holo2.ts';
import { hunyuanA13bReasoning } from './reasoning/hunyuan-a13b.ts';
import { hyV3Reasoning } from './reasoning/hy-v3.ts';
import { hyV4Reasoning } from './reasoning/hy-v4.ts';
import { k2HorizonReasoning } from './reasoning/k2-horizon.ts';
import { kimiK2Reasoning } from './reasoning/kimi-k2.ts';
import { kimiK3Reasoning } from './reasoning/kimi-k3.ts';
import { minicpmv } from './reasoning/minicpmv.ts';
import { minimaxM2AppendThink } from './reasoning/minimax-m2-append-think.ts';
import { minimaxM2Reasoning } from './reasoning/minimax-m2.ts';
import { minimaxM3Reasoning } from './reasoning/minimax-m3.ts';
import { mistralReasoning } from './reasoning/mistral.ts';
import { nemotronV3 } from './reasoning/nemotron-v3.ts';
import { olmo3Reasoning } from './reasoning/olmo3.ts';
import { poolsideV1Reasoning } from './reasoning/poolside-v1.ts';
import { plamo3Reasoning } from './reasoning/plamo3.ts';
import { qwen3 } from './reasoning/qwen3.ts';
import { seedOssReasoning } from './reasoning/seed-oss.ts';
import { step3Reasoning } from './reasoning/step3.ts';
import { step3p5Reasoning } from './reasoning/step3p5.ts';
import { apertus } from './tool/apertus.ts';
import { deepseekV3 } from './tool/deepseek-v3.ts';
import { deepseekV31 } from './tool/deepseek-v31.ts';
import { deepseekV32 } from './tool/deepseek-v32.ts';
import { deepseekV4 } from './tool/deepseek-v4.ts';
import { deepseekV41 } from './tool/deepseek-v41.ts';
import { dots } from './tool/dots.ts';
import { ernie45 } from './tool/ernie45.ts';
import { functiongemma } from './tool/functiongemma.ts';
import { gemma4 } from './tool/gemma4.ts';
import { gigachat3 } from './tool/gigachat3.ts';
import { glm47 } from './tool/glm47.ts';
import { granite20bFc } from './tool/granite-20b-fc.ts';
import { granite } from './tool/granite.ts';
import { granite4 } from './tool/granite4.ts';
import { hermes } from './tool/hermes.ts';
import { hunyuanA13b } from './tool/hunyuan-a13b.ts';
import { hyV3 } from './tool/hy-v3.ts';
import { hyV4 } from './tool/hy-v4.ts';
import { internlm } from './tool/internlm.ts';
import { jamba } from './tool/jamba.ts';
import { k2Horizon } from './tool/k2-horizon.ts';
import { kimiK2 } from './tool/kimi-k2.ts';
import { kimiK3 } from './tool/kimi-k3.ts';
import { lfm2 } from './tool/lfm2.ts';
import { llama3Json } from './tool/llama3-json.ts';
import { llama4Pythonic } from './tool/llama4-pythonic.ts';
import { longcat } from './tool/longcat.ts';
import { minicpm5 } from './tool/minicpm5.ts';
import { minimaxM2 } from './tool/minimax-m2.ts';
import { minimaxM3 } from './tool/minimax-m3.ts';
import { mistral } from './tool/mistral.ts';
import { olmo3 } from './tool/olmo3.ts';
import { phi4MiniJson } from './tool/phi4-mini-json.ts';
import { poolsideV1 } from './tool/poolside-v1.ts';
import { plamo3 } from './tool/plamo3.ts';
import { pythonic } from './tool/pythonic.ts';
import { mimo } from './tool/mimo.ts';
import { qwen3Coder } from './tool/qwen3-coder.ts';
import { seedOss } from './tool/seed-oss.ts';
import { step3 } from './tool/step3.ts';
import { step3p5 } from './tool/step3p5.ts';
import { step5 } from './tool/step5.ts';
import { xlam } from './tool/xlam.ts';
import { beam } from './unified/beam.ts';
import { cohereCommand3, cohereCommand4 } from './unified/cohere-command.ts';
import { hf } from './unified/hf.ts';
import { inkling } from './unified/inkling.ts';
import { muse, museGlimmer } from './unified/muse.ts';
import { openai } from './unified/openai.ts';

/** Every format, one line each. A new format is one file and one line here. */
const TOOL_FORMATS: readonly ToolFormat[] = [
  apertus,
  deepseekV3,
  deepseekV31,
  deepseekV32,
  deepseekV4,
  deepseekV41,
  dots,
  ernie45,
  functiongemma,
  gemma4,
  gigachat3,
  glm47,
  granite,
  granite20bFc,
  granite4,
  hermes,
  hunyuanA13b,
  hyV3,
  hyV4,
  internlm,
  jamba,
  k2Horizon,
  kimiK2,
  kimiK3,
  lfm2,
  llama3Json,
  llama4Pythonic,
  longcat,
  mimo,
  minicpm5,
  minimaxM2,
  minimaxM3,
  mistral,
  olmo3,
  phi4MiniJson,
  poolsideV1,
  plamo3,
  pythonic,
  qwen3Coder,
  seedOss,
  step3,
  step3p5,
  step5,
  xlam,
];
const REASONING_FORMATS: readonly ReasoningFormat[] = [
  deepseekR1,
  deepseekV3Reasoning,
  deepseekV41Reasoning,
  deepseekV4Reasoning,
  ernie45Reasoning,
  gemma4Reasoning,
  glm47Reasoning,
  graniteReasoning,
  graniteThinking,
  holo2,
  hunyuanA13bReasoning,
  hyV3Reasoning,
  hyV4Reasoning,
  k2HorizonReasoning,
  kimiK2Reasoning,
  kimiK3Reasoning,
  minicpmv,
  minimaxM2AppendThink,
  minimaxM2Reasoning,
  minimaxM3Reasoning,
  mistralReasoning,
  nemotronV3,
  olmo3Reasoning,
  poolsideV1Reasoning,
  plamo3Reasoning,
  qwen3,
  seedOssReasoning,
  step3p5Reasoning,
  step3Reasoning,
];
const UNIFIED_FORMATS: readonly UnifiedFormat[] = [beam, cohereCommand3, cohereCommand4, hf, inkling, muse, museGlimmer, openai];

function index<T>(formats: readonly T[], namesOf: (format: T) => readonly string[]): ReadonlyMap<string, T> {
  return new Map(formats.flatMap((format) => namesOf(format).map((name): [string, T] => [name, format])));
}

const namesOf = (format: ToolFormat | ReasoningFormat): readonly string[] => [format.name, ...format.aliases];
const tools = index(TOOL_FORMATS, namesOf);
const reasonings = index(REASONING_FORMATS, namesOf);
const unifiedTools = index(UNIFIED_FORMATS, (format) => format.toolNames);
const unifiedReasonings = index(UNIFIED_FORMATS, (format) => format.reasoningNames);

/** Names that `--tool-call-parser` takes, aliases included, sorted. */
export function toolParserNames(): string[] {
  return [...tools.keys(), ...unifiedTools.keys()].sort();
}

/** Names that `--reasoning-parser` takes, aliases included, sorted. */
export function reasoningParserNames(): string[] {
  return [...reasonings.keys(), ...unifiedReasonings.keys()].sort();
}

/** Every format, for lists. */
export function allFormats(): readonly (ToolFormat | ReasoningFormat | UnifiedFormat)[] {
  return [...TOOL_FORMATS, ...REASONING_FORMATS, ...UNIFIED_FORMATS];
}

/** The format that `--tool-call-parser` names; undefined for a name that is not registered. */
export function toolFormatNamed(name: string): ToolFormat | UnifiedFormat | undefined {
  return unifiedTools.get(name) ?? tools.get(name);
}

/** The format that `--reasoning-parser` names; undefined for a name that is not registered. */
export function reasoningFormatNamed(name: string): ReasoningFormat | UnifiedFormat | undefined {
  return unifiedReasonings.get(name) ?? reasonings.get(name);
}

/** Puts the formats of a server's two flags together: a unified one stands alone. Null where there is none. */
export function combineFormats(
  tool: ToolFormat | UnifiedFormat | null,
  reasoning: ReasoningFormat | UnifiedFormat | null,
): SessionFormats | null {
  if (tool?.kind === 'unified') return { tool: null, reasoning: null, unified: tool };
  if (reasoning?.kind === 'unified') return { tool: null, reasoning: null, unified: reasoning };
  return tool || reasoning ? { tool, reasoning, unified: null } : null;
}

/**
 * The formats for a server's two flags; null where neither names one.
 * @throws RangeError for a name that is not registered
 */
export function chooseFormats(toolName: string | null, reasoningName: string | null): SessionFormats | null {
  const tool = toolName === null ? null : toolFormatNamed(toolName);
  if (tool === undefined) throw new RangeError(`unknown tool parser "${toolName}"`);
  const reasoning = reasoningName === null ? null : reasoningFormatNamed(reasoningName);
  if (reasoning === undefined) throw new RangeError(`unknown reasoning parser "${reasoningName}"`);
  return combineFormats(tool, reasoning);
}
