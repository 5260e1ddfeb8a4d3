import type { ReasoningFormat, ToolFormat, UnifiedFormat } from '../../core/stream-parser.ts';
import { responseTemplateFormat } from '../response-template/response-template-format.ts';
import { callsBehaviour } from './declared-calls.ts';
import { reasoningFormat } from './declared-reasoning.ts';
import { readDeclaration } from './read-declaration.ts';

/** What one file declares; a unified format stands in both places. */
export interface DeclaredFormats {
  tool: ToolFormat | UnifiedFormat | null;
  reasoning: ReasoningFormat | UnifiedFormat | null;
}

/** States of streams are only good with the file that they were begun with: its text gives the version. */
function versionOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93) >>> 0;
  return hash;
}

/**
 * Makes formats of a file's text. They are compiled to the cores that the formats in code are made of.
 * @param text YAML, see docs/parsers.md
 * @param fileName for messages
 * @throws StartupError that names the file, the line and what is wrong there
 */
export function declaredFormats(text: string, fileName: string): DeclaredFormats {
  const declaration = readDeclaration(text, fileName);
  const { models, sample, tool_calls: calls, reasoning, response_template: template } = declaration;
  const described = { name: `file:${declaration.name}`, aliases: [], models, sample, stateVersion: versionOf(text) };
  if (template) {
    const unified = { ...responseTemplateFormat(described, () => template), stateVersion: described.stateVersion } as UnifiedFormat;
    return { tool: unified, reasoning: unified };
  }
  return {
    tool: calls ? { ...callsBehaviour(declaration, calls), kind: 'tool', ...described } : null,
    reasoning: reasoning ? reasoningFormat(declaration, reasoning, described) : null,
  };
}
