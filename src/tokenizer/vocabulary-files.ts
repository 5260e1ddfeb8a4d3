/**
 * A `tokenizer.json` out of `vocab.json` and `merges.txt` (GPT-2's form): a line for each merge, the two parts apart by a space.
 * @throws SyntaxError where a line is something else.
 */
export function bpeFilesJson(vocabJson: Buffer, merges: Buffer): Buffer {
  const pairs: string[] = [];
  for (const [index, line] of merges.toString('utf8').split(/\r?\n/).entries()) {
    if (line.startsWith('#version') || line === '') continue;
    const parts = line.split(' ');
    if (parts.length !== 2) throw new SyntaxError(`line ${index + 1} of merges.txt is not two tokens`);
    pairs.push(JSON.stringify(parts));
  }
  return tokenizerJson('BPE', vocabJson.toString('utf8'), `,"merges":[${pairs.join(',')}]`);
}

/** A `tokenizer.json` out of `vocab.txt` (BERT's form): a token a line, its id being the number of the line. */
export function wordPieceFileJson(vocabTxt: Buffer): Buffer {
  const lines = vocabTxt.toString('utf8').replace(/\n$/, '').split('\n');
  const vocab = lines.map((line, id) => `${JSON.stringify(line.trimEnd())}:${id}`);
  return tokenizerJson('WordPiece', `{${vocab.join(',')}}`, '');
}

function tokenizerJson(type: string, vocab: string, rest: string): Buffer {
  return Buffer.from(`{"version":"1.0","added_tokens":[],"model":{"type":"${type}","vocab":${vocab.trim()}${rest}}}`);
}
