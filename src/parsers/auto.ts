import { REASONING_RULES, TOOL_RULES } from './auto-rules.ts';
import type { AutoRule } from './auto-rules.ts';

/** The name with which the flags leave the choice to the server. */
export const AUTO = 'auto';

/** What is looked at to choose formats for a model. */
export interface ModelTraits {
  /** `model_type` of config.json, empty where there is none. */
  modelType: string;
  architectures: readonly string[];
  /** All chat templates of the model. */
  template: string;
  hasResponseTemplate: boolean;
  hasToken: (token: string) => boolean;
}

/** A format's name, and the reason for it: the end of a sentence that begins with "because". */
export interface AutoChoice {
  name: string;
  because: string;
}

const quoted = (texts: readonly string[]): string => texts.map((text) => `"${text}"`).join(' and ');

/** Why a rule holds; null where it does not. */
function reasonFor(rule: AutoRule, traits: ModelTraits): string | null {
  const { model, template = [], token, responseTemplate } = rule;
  const kind = [traits.modelType, ...traits.architectures].find((name) => name !== '' && model?.test(name) === true);
  if (model && kind === undefined) return null;
  if (!template.every((text) => traits.template.includes(text))) return null;
  if (token !== undefined && !traits.hasToken(token)) return null;
  if (responseTemplate && !traits.hasResponseTemplate) return null;
  const reasons = [
    ...(kind === undefined ? [] : [`the model is a ${kind}`]),
    ...(template.length > 0 ? [`its chat template has ${quoted(template)}`] : []),
    ...(token === undefined ? [] : [`its tokenizer has the token ${quoted([token])}`]),
    ...(responseTemplate ? ['its tokenizer_config.json has a response_template'] : []),
  ];
  return reasons.join(', and ');
}

function choose(rules: readonly AutoRule[], traits: ModelTraits): AutoChoice | null {
  for (const rule of rules) {
    const because = reasonFor(rule, traits);
    if (because !== null) return { name: rule.name, because };
  }
  return null;
}

/** The tool format for a model; null where none fits. */
export function autoToolFormat(traits: ModelTraits): AutoChoice | null {
  return choose(TOOL_RULES, traits);
}

/** The reasoning format for a model; null where none fits. */
export function autoReasoningFormat(traits: ModelTraits): AutoChoice | null {
  return choose(REASONING_RULES, traits);
}
