import { reasons, type RenderSettings } from './render-settings.ts';
import { actionText, documentTurns, GROUNDING, jsonModeText, resultsText, type Turn, turnText } from './turns.ts';

/** The prompt of Cohere's newer Command models (`cmd4`). */

function textBlock(texts: readonly string[]): string {
  return texts.length === 0 ? '' : `<|START_TEXT|>${texts.join('')}<|END_TEXT|>`;
}

function chatTurn(turn: Turn, showsThinking: boolean): string {
  const thinking = (text: string): string => (showsThinking ? `<|START_THINKING|>${text}<|END_THINKING|>` : '');
  switch (turn.role) {
    case 'system':
      return turnText('SYSTEM', textBlock(turn.texts));
    case 'user':
      return turnText('USER', textBlock(turn.texts));
    case 'chatbot':
      return turnText('CHATBOT', thinking(turn.thinking) + textBlock(turn.texts));
    case 'calls':
      return turnText('CHATBOT', thinking(turn.plan ?? '') + actionText(turn.calls));
    default:
      return turnText('SYSTEM', resultsText(turn.results));
  }
}

function platformText(settings: RenderSettings, tools: readonly string[]): string {
  const { citations, jsonMode, jsonSchema } = settings;
  const sections = [settings.platformText];
  if (citations && tools.length > 0) sections.push(`Note that both your responses and reflections can be grounded. ${GROUNDING}`);
  sections.push(`# Available Tools\n\`\`\`json\n[\n${tools.join(',\n')}\n]\n\`\`\``);
  if (jsonMode) sections.push(jsonModeText(jsonSchema));
  return sections.filter((section) => section !== '').join('\n\n');
}

function beginOfAnswer(settings: RenderSettings): string {
  if (settings.version === 1) return '';
  return reasons(settings) ? '<|START_THINKING|>' : '<|START_THINKING|><|END_THINKING|>';
}

/** @param tools lines of JSON, @param documents JSON of each document */
export function command4Prompt(
  turns: readonly Turn[],
  tools: readonly string[],
  documents: readonly string[],
  settings: RenderSettings,
): string {
  const showsThinking = !settings.skipThinking;
  const firstUser = documents.length === 0 ? undefined : turns.find(({ role }) => role === 'user');
  const chat = turns.map((turn) => chatTurn(turn, showsThinking) + (turn === firstUser ? documentTurns(documents, showsThinking) : ''));
  const { developerText } = settings;
  const developer = developerText === null || developerText === '' ? '' : turnText('SYSTEM', textBlock([developerText]));
  const platform = turnText('SYSTEM', textBlock([platformText(settings, tools)]));
  return `<BOS_TOKEN>${platform}${developer}${chat.join('')}<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>${beginOfAnswer(settings)}`;
}
