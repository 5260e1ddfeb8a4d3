/** Files that every model may have, beside its vocabulary. */
const DESCRIPTIONS = new Set([
  'config.json',
  'params.json',
  'generation_config.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'added_tokens.json',
  'chat_template.jinja',
  'chat_template.json',
]);

/** Vocabularies that are enough by themselves. */
const WHOLE_VOCABULARIES = /^(?:tokenizer(?:\.\d[\d.]*)?\.json|tekken\.json)$/;

/** Vocabularies that are read where there is no whole one. */
const OTHER_VOCABULARIES =
  /^(?:(?:tokenizer|spm|sentencepiece|spiece|tiktoken)\.model|[\w.-]+\.tiktoken|vocab\.json|vocab\.txt|merges\.txt)$/;

/** Mistral's own vocabularies of the older kind, and the weights by whose names a repository of theirs is known. */
const MISTRAL_VOCABULARY = /^tokenizer\.(?:mm\.)?model\.v\d+(?:m\d+)?$/;

const ADDITIONAL_TEMPLATE = /^additional_chat_templates\/[^/]+\.jinja$/;

/** Of all the files of a model, those that are read here: never weights. */
export function neededFiles(fileNames: readonly string[]): string[] {
  const whole = fileNames.some((name) => WHOLE_VOCABULARIES.test(name));
  return fileNames.filter(
    (name) =>
      DESCRIPTIONS.has(name) ||
      ADDITIONAL_TEMPLATE.test(name) ||
      WHOLE_VOCABULARIES.test(name) ||
      MISTRAL_VOCABULARY.test(name) ||
      (!whole && OTHER_VOCABULARIES.test(name)),
  );
}

/** Name of a template of `additional_chat_templates/`, or undefined for other files. */
export function additionalTemplateName(fileName: string): string | undefined {
  return ADDITIONAL_TEMPLATE.test(fileName) ? fileName.slice('additional_chat_templates/'.length, -'.jinja'.length) : undefined;
}
