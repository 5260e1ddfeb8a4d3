import type { ToolChoice } from '../core/stream-parser.ts';

/**
 * The `finish_reason` of a chat choice that has ended. `tool_calls` only where there are calls, the model stopped by itself (a cut by
 * length stays visible) and no single function was forced, for which OpenAI reports `stop`.
 * @param engine the engine's reason; null counts as `stop`
 */
export function chatFinishReason(engine: string | null, toolChoice: ToolChoice, calls: boolean): string {
  const reason = engine || 'stop';
  const named = toolChoice !== null && typeof toolChoice === 'object';
  return calls && reason === 'stop' && !named ? 'tool_calls' : reason;
}
