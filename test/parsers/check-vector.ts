import { ApiError } from '../../src/core/errors.ts';
import { runComplete, runStream, sumOfComplete, sumOfStream } from './run-vector.ts';
import type { Sum } from './run-vector.ts';
import type { RecordedChoice, RecordedStream, RightAnswer, Vector } from './vectors.ts';

export interface Verdict {
  id: string;
  oneShot: boolean;
  stream: boolean;
  exact: boolean;
  /** The recorded streams agree among themselves and nothing is noted against them. */
  settled: boolean;
  detail: string[];
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, member]) => [key, canonical(member)]));
}

const text = (value: unknown): string => JSON.stringify(canonical(value));

/** White space around content does not count, nor how many roles and ids came. */
const loose = (sum: Sum): string =>
  text({ ...sum, content: sum.content.trim(), roles: 1, tool_calls: sum.tool_calls.map(({ name, arguments: args }) => ({ name, args })) });

function argumentsOf(written: string): unknown {
  try {
    return canonical(JSON.parse(written));
  } catch {
    return written;
  }
}

const plain = (sum: Sum): string =>
  text({
    content: sum.content.trim(),
    reasoning: sum.reasoning.trim(),
    finish_reason: sum.finish_reason,
    tool_calls: sum.tool_calls.map((call) => [call.name, argumentsOf(call.arguments)]),
  });

const plainRight = (right: RightAnswer, content = right.content): string =>
  text({
    ...right,
    content: content.trim(),
    reasoning: right.reasoning.trim(),
    tool_calls: right.tool_calls.map(([name, args]) => [name, argumentsOf(args)]),
  });

/** Chunks that are not recorded had an empty delta. */
function unpack(stream: RecordedStream): RecordedChoice[] {
  const choices: RecordedChoice[] = Array.from({ length: stream.chunk_lens.length + (stream.finish_apart ? 1 : 0) }, () => ({ delta: {} }));
  for (const [index, choice] of stream.deltas) choices[index] = choice;
  return choices;
}

function checkRight(vector: Vector, right: RightAnswer, verdict: Verdict): Verdict {
  const once = sumOfComplete(runComplete(vector));
  const recorded = vector.one_shot.error ? null : sumOfComplete(vector.one_shot);
  // The reference's one-shot answers drop text behind a call in some formats, its streams keep it: both count in one shot.
  const drops =
    recorded !== null &&
    text(once) === text(recorded) &&
    plain({ ...recorded, content: '' }) === plainRight(right, '') &&
    right.content.includes(recorded.content.trim());
  verdict.oneShot = plain(once) === plainRight(right) || drops;
  if (!verdict.oneShot) verdict.detail.push(`one-shot\n    right ${plainRight(right)}\n    got   ${plain(once)}`);
  for (const [name, stream] of Object.entries(vector.streams)) {
    if (stream.finish_apart) continue;
    const got = plain(sumOfStream(runStream(vector, stream.chunk_lens, false)));
    if (got === plainRight(right)) continue;
    verdict.stream = false;
    verdict.detail.push(`stream ${name}\n    right ${plainRight(right)}\n    got   ${got}`);
  }
  return verdict;
}

/** Whether both ways of asking refuse the request with a 400. */
function isRefused(vector: Vector): boolean {
  return [() => runComplete(vector), () => runStream(vector, [vector.output_token_ids.length], false)].every((run) => {
    try {
      run();
      return false;
    } catch (error) {
      return error instanceof ApiError && error.status === 400;
    }
  });
}

/** Compares a vector's answers with the recorded ones, by the rules of the conformance run (one-shot, stream, exact). */
export function checkVector(vector: Vector): Verdict {
  const verdict: Verdict = { id: vector.id, oneShot: true, stream: true, exact: true, settled: false, detail: [] };
  if (vector.right) return checkRight(vector, vector.right, verdict);
  if (vector.one_shot.error && Object.values(vector.streams).every(({ deltas }) => deltas.some(([, choice]) => choice.error))) {
    const refused = isRefused(vector);
    return { ...verdict, oneShot: refused, stream: refused, exact: refused, settled: true };
  }
  const streams = Object.entries(vector.streams).map(([name, stream]) => ({ name, stream, wanted: unpack(stream) }));
  const whole = streams.filter(({ stream }) => !stream.finish_apart).map(({ wanted }) => text(sumOfStream(wanted)));
  const noted = vector.note !== undefined && !vector.expect;
  verdict.settled = new Set(whole).size === 1 && !noted && !vector.expect;
  const want = vector.expect?.one_shot ?? vector.one_shot;
  const once = runComplete(vector);
  const onceSum = sumOfComplete(once);
  const wantSum = sumOfComplete(want);
  const disagree = vector.also_one_shot === true || new Set(whole).size > 1;
  verdict.oneShot =
    noted || text(once) === text(want) || (disagree && streams.some(({ wanted }) => loose(sumOfStream(wanted)) === loose(onceSum)));
  if (!verdict.oneShot) verdict.detail.push(`one-shot\n    want ${text(want)}\n    got  ${text(once)}`);

  const expected = vector.expect?.stream;
  const allowed = new Set(expected ? [text(expected)] : verdict.settled && !vector.also_one_shot ? whole : [...whole, text(wantSum)]);
  const seen = new Set<string>();
  for (const { name, stream, wanted } of streams) {
    const got = runStream(vector, stream.chunk_lens, stream.finish_apart);
    const sum = sumOfStream(got);
    if (!stream.finish_apart) seen.add(noted ? loose(sum) : text(sum));
    const apart = stream.finish_apart && (text(sum) === text(sumOfStream(wanted)) || text(sum) === text(wantSum));
    const fits = noted || allowed.has(text(sum)) || apart;
    if (!fits) {
      verdict.stream = false;
      verdict.detail.push(`stream ${name}\n    want ${text(sumOfStream(wanted))}\n    got  ${text(sum)}`);
    }
    if (verdict.settled && text(got) !== text(wanted)) {
      verdict.exact = false;
      const at = got.findIndex((choice, index) => text(choice) !== text(wanted[index]));
      if (fits) verdict.detail.push(`exact ${name} chunk ${at}\n    want ${text(wanted[at])}\n    got  ${text(got[at])}`);
    }
  }
  if (noted) seen.add(loose(onceSum));
  if (seen.size > 1) {
    verdict.stream = false;
    verdict.detail.push(`chunkings disagree\n    ${[...seen].join('\n    ')}`);
  }
  return verdict;
}
