/**
 * Finds the members of a JSON object in a buffer without building values. A tokenizer file is 5 to 35 MB, nearly all of it
 * vocabulary and merges: those go to the native library as they stand, and only the small members are parsed here.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Byte range `[start, end)` of one JSON value. */
export interface Section {
  start: number;
  end: number;
}

/** First byte at or after `at` that is not JSON white space. */
export function skipSpace(json: Uint8Array, at: number): number {
  let index = at;
  while (index < json.length) {
    const byte = json[index];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    index += 1;
  }
  return index;
}

/** Byte after the string that begins with the quote at `at`. */
export function skipString(json: Uint8Array, at: number): number {
  let index = at + 1;
  while (index < json.length) {
    const byte = json[index];
    if (byte === QUOTE) return index + 1;
    index += byte === BACKSLASH ? 2 : 1;
  }
  throw new SyntaxError('unterminated string');
}

/** Byte after the value that begins at `at`. */
export function skipValue(json: Uint8Array, at: number): number {
  const first = json[at];
  if (first === QUOTE) return skipString(json, at);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipContainer(json, at);
  let index = at;
  while (index < json.length) {
    const byte = json[index];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined || byte <= 0x20) break;
    index += 1;
  }
  if (index === at) throw new SyntaxError(`value expected at byte ${at}`);
  return index;
}

function skipContainer(json: Uint8Array, at: number): number {
  let depth = 0;
  let index = at;
  while (index < json.length) {
    const byte = json[index];
    if (byte === QUOTE) {
      index = skipString(json, index);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
    index += 1;
  }
  throw new SyntaxError('unterminated object or array');
}

/**
 * Walks over the members of the object that begins at `at`. `visit` gets each member's name and the first byte of its value,
 * and gives the byte after the value.
 * @returns the byte after the object.
 * @throws SyntaxError where there is no well-formed object.
 */
export function forEachMember(json: Uint8Array, at: number, visit: (name: string, start: number) => number): number {
  let index = skipSpace(json, at);
  if (json[index] !== OPEN_BRACE) throw new SyntaxError(`object expected at byte ${index}`);
  index = skipSpace(json, index + 1);
  if (json[index] === CLOSE_BRACE) return index + 1;
  while (true) {
    if (json[index] !== QUOTE) throw new SyntaxError(`member name expected at byte ${index}`);
    const nameEnd = skipString(json, index);
    const name = JSON.parse(sectionText(json, { start: index, end: nameEnd })) as string;
    index = skipSpace(json, nameEnd);
    if (json[index] !== COLON) throw new SyntaxError(`colon expected at byte ${index}`);
    index = skipSpace(json, visit(name, skipSpace(json, index + 1)));
    if (json[index] === CLOSE_BRACE) return index + 1;
    if (json[index] !== COMMA) throw new SyntaxError(`comma expected at byte ${index}`);
    index = skipSpace(json, index + 1);
  }
}

/** Where the members of a `tokenizer.json` are: those of the file and those of its `model`. */
export interface TokenizerFileSections {
  file: Map<string, Section>;
  model: Map<string, Section>;
}

/**
 * Reads the places of all members in one pass; the last of equal names wins, as in `JSON.parse`.
 * @throws SyntaxError where the file is not well-formed or has no `model`.
 */
export function tokenizerFileSections(json: Uint8Array): TokenizerFileSections {
  const file = new Map<string, Section>();
  const model = new Map<string, Section>();
  forEachMember(json, 0, (name, start) => {
    let end: number;
    if (name === 'model' && json[start] === OPEN_BRACE) {
      end = forEachMember(json, start, (inner, innerStart) => {
        const innerEnd = skipValue(json, innerStart);
        model.set(inner, { start: innerStart, end: innerEnd });
        return innerEnd;
      });
    } else {
      end = skipValue(json, start);
    }
    file.set(name, { start, end });
    return end;
  });
  if (model.size === 0) throw new SyntaxError('no model in the tokenizer file');
  return { file, model };
}

/** The text of a section. */
function sectionText(json: Uint8Array, { start, end }: Section): string {
  return Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('utf8');
}

/** The parsed value of a section, or undefined where the member is missing. */
export function sectionValue(json: Uint8Array, section: Section | undefined): unknown {
  return section === undefined ? undefined : (JSON.parse(sectionText(json, section)) as unknown);
}
