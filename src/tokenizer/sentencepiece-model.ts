/**
 * Reads SentencePiece model files (`tokenizer.model`): a protocol buffer, of which the members named here are kept.
 * Format: sentencepiece_model.proto of the SentencePiece project.
 */

/** What a piece of the vocabulary is for. */
type PieceKind = 'normal' | 'unknown' | 'control' | 'user' | 'byte' | 'unused';

interface Piece {
  text: string;
  score: number;
  kind: PieceKind;
}

export interface SentencePieceModel {
  pieces: Piece[];
  kind: 'unigram' | 'bpe' | 'word' | 'char';
  byteFallback: boolean;
  /** Positions of the special pieces, -1 where there is none, and their texts; what is written for the unknown one. */
  unknown: { id: number; text: string; surface: string };
  begin: { id: number; text: string };
  end: { id: number; text: string };
  /** Compiled normalization rules, empty where there are none. */
  charsmap: Buffer;
}

const PIECE_KINDS: readonly (PieceKind | undefined)[] = [undefined, 'normal', 'unknown', 'control', 'user', 'unused', 'byte'];
const MODEL_KINDS = ['unigram', 'unigram', 'bpe', 'word', 'char'] as const;

/** A member of a message: a number, or the bytes of text, floats and messages. */
type Field = { number: number; value: number } | { number: number; bytes: Buffer };

/** @throws SyntaxError where the file is no SentencePiece model. */
export function readSentencePieceModel(file: Buffer): SentencePieceModel {
  const model: SentencePieceModel = {
    pieces: [],
    kind: 'unigram',
    byteFallback: false,
    unknown: { id: 0, text: '<unk>', surface: ' \u2047 ' },
    begin: { id: 1, text: '<s>' },
    end: { id: 2, text: '</s>' },
    charsmap: Buffer.alloc(0),
  };
  for (const field of readFields(file)) {
    if (!('bytes' in field)) continue;
    if (field.number === 1) model.pieces.push(readPiece(field.bytes));
    else if (field.number === 2) readTrainer(field.bytes, model);
    else if (field.number === 3) readNormalizer(field.bytes, model);
  }
  if (model.pieces.length === 0) throw new SyntaxError('no SentencePiece vocabulary');
  return model;
}

function readPiece(message: Buffer): Piece {
  const piece: Piece = { text: '', score: 0, kind: 'normal' };
  for (const field of readFields(message)) {
    if (field.number === 1 && 'bytes' in field) piece.text = field.bytes.toString('utf8');
    else if (field.number === 2 && 'bytes' in field) piece.score = field.bytes.readFloatLE(0);
    else if (field.number === 3 && 'value' in field) piece.kind = PIECE_KINDS[field.value] ?? 'normal';
  }
  return piece;
}

function readTrainer(message: Buffer, model: SentencePieceModel): void {
  for (const field of readFields(message)) {
    if ('value' in field) {
      if (field.number === 3) model.kind = MODEL_KINDS[field.value] ?? 'unigram';
      else if (field.number === 35) model.byteFallback = field.value !== 0;
      else if (field.number === 40) model.unknown.id = field.value;
      else if (field.number === 41) model.begin.id = field.value;
      else if (field.number === 42) model.end.id = field.value;
    } else if (field.number === 44) model.unknown.surface = field.bytes.toString('utf8');
    else if (field.number === 45) model.unknown.text = field.bytes.toString('utf8');
    else if (field.number === 46) model.begin.text = field.bytes.toString('utf8');
    else if (field.number === 47) model.end.text = field.bytes.toString('utf8');
  }
}

function readNormalizer(message: Buffer, model: SentencePieceModel): void {
  for (const field of readFields(message)) if (field.number === 2 && 'bytes' in field) model.charsmap = field.bytes;
}

function* readFields(message: Buffer): Generator<Field> {
  let at = 0;
  const varint = (): number => {
    // Signed numbers come as 64 bits: those that matter here fit 32, so -1 comes out right.
    let low = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at];
      if (byte === undefined) throw new SyntaxError('the file ends inside a number');
      at += 1;
      if (shift < 32) low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return low;
    }
    throw new SyntaxError('a number is too long');
  };
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > message.length) throw new SyntaxError('the file ends inside a member');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const number = tag >>> 3;
    if (number === 0) throw new SyntaxError('a member has no number');
    const wire = tag & 7;
    if (wire === 0) yield { number, value: varint() };
    else if (wire === 1) yield { number, bytes: take(8) };
    else if (wire === 2) yield { number, bytes: take(varint()) };
    else if (wire === 5) yield { number, bytes: take(4) };
    else throw new SyntaxError(`wire type ${wire} is not used in these files`);
  }
}
