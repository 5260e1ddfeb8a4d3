/** Bound on the texts that are kept, in UTF-16 units. */
const MAX_UNITS = 8 * 1024 * 1024;

/**
 * A parser that remembers what it made of the requests seen last. All chunks of a stream bring the same request along, and checking it costs more than
 * the chunk itself.
 * @param parse a pure function; what it returns must never be changed
 * @param limit bound on the requests' JSON texts that are kept, in UTF-16 units
 */
export function rememberRequests<Request>(parse: (value: unknown) => Request, limit: number = MAX_UNITS): (value: unknown) => Request {
  const known = new Map<string, Request>();
  let units = 0;
  return (value) => {
    const text = JSON.stringify(value);
    const found = known.get(text);
    if (found !== undefined) {
      // Moved to the end: the one used longest ago stands first, and goes first.
      known.delete(text);
      known.set(text, found);
      return found;
    }
    const request = parse(value);
    known.set(text, request);
    units += text.length;
    for (const oldest of known.keys()) {
      if (units <= limit) break;
      known.delete(oldest);
      units -= oldest.length;
    }
    return request;
  };
}
