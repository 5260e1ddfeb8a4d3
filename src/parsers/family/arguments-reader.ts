import type { z } from 'zod';
import type { Write } from './parameter-writer.ts';
import type { Properties } from './schema-coercion.ts';

/** Reads the arguments of one call as the model writes them, and writes them as JSON. All that it remembers is its state. */
export interface ArgumentsReader<State> {
  stateSchema: z.ZodType<State>;
  start(): State;
  /** More text of the arguments, markers between them included. @param properties the schemas of the function's parameters */
  push(state: State, text: string, properties: Properties, write: Write): void;
  /** The call is complete. */
  end(state: State, properties: Properties, write: Write): void;
  /** The output was cut off inside the call. @param tail text at its end that may have been the beginning of a marker */
  cut(state: State, tail: string, properties: Properties, write: Write): void;
  /** In complete answers, the format brings the arguments into the types of their schemas afterwards: the reader is not shown any. */
  typedLater?: boolean;
  /** A chunk has ended inside the call, for what the reference gives out by chunks. */
  endChunk?(state: State, properties: Properties, write: Write): void;
  /**
   * What a marker of that name is at this point. `text`: it stands in a value. `likely-text`: it does if more of a value follows.
   * `likely-end`: it ends the call, although another marker should have, so it is believed once something follows. Null: a marker.
   */
  quotes?(state: State, marker: string): 'text' | 'likely-text' | 'likely-end' | null;
}
