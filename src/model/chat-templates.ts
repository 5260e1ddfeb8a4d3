/** The chat templates of a model. */
export interface ChatTemplates {
  /** The one without a name, or named `default`; null where there is none. */
  default: string | null;
  /** All that have a name, `default` among them. */
  named: Readonly<Record<string, string>>;
}

/** The files that hold chat templates, undefined where missing. */
export interface ChatTemplateFiles {
  tokenizerConfig: Readonly<Record<string, unknown>>;
  /** `chat_template.jinja` */
  templateFile: string | undefined;
  /** `additional_chat_templates/*.jinja`, by name. */
  additional: Readonly<Record<string, string>>;
  /** `chat_template.json`, which older multimodal models have. */
  processorTemplate: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Files of their own come before `chat_template` of `tokenizer_config.json`, which is a text or a list of named texts. With other
 * named files but no file for the default, the configuration is not read at all, as in transformers.
 */
export function chatTemplates({ tokenizerConfig, templateFile, additional, processorTemplate }: ChatTemplateFiles): ChatTemplates {
  const named: Record<string, string> = { ...additional };
  if (templateFile !== undefined) named['default'] = templateFile;
  if (Object.keys(named).length > 0) return { default: named['default'] ?? null, named };
  const own = namedTemplates(tokenizerConfig['chat_template']);
  if (Object.keys(own).length > 0) return { default: own['default'] ?? null, named: own };
  const others = namedTemplates(processorTemplate?.['chat_template']);
  return { default: others['default'] ?? null, named: others };
}

/** A text, `[{"name", "template"}, ...]`, or an object from name to text. */
function namedTemplates(value: unknown): Record<string, string> {
  if (typeof value === 'string') return { default: value };
  if (typeof value !== 'object' || value === null) return {};
  const entries: unknown[][] = Array.isArray(value)
    ? (value as unknown[]).map((entry) => {
        const { name, template } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>;
        return [name, template];
      })
    : Object.entries(value);
  const named: Record<string, string> = {};
  for (const [name, template] of entries) if (typeof name === 'string' && typeof template === 'string') named[name] = template;
  return named;
}
