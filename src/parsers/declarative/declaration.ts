import type { ResponseTemplate } from '../response-template/template.ts';

/** What stands around something. */
export interface Pair {
  open: string;
  close: string;
}

/** Members of a call's JSON object; of several names for the arguments the first that is there counts. */
export interface CallKeys {
  name: string;
  arguments: string[];
}

interface Calls {
  /** What the model writes where the request forces a call: its own markup, or bare JSON under guidance. */
  forced_choice: 'json' | 'markup';
}

/** One JSON object between two markers is a call. */
export interface JsonCalls extends Calls, Pair {
  payload: 'json';
  keys: CallKeys;
  /** Given out as they come, or once the call is complete. */
  arguments: 'streamed' | 'whole';
  /** Arguments may be JSON text inside a string. */
  quoted_arguments: boolean;
  text_behind: 'content' | 'dropped';
}

/** A JSON list of calls behind a marker. */
export interface JsonListCalls extends Calls {
  payload: 'json_list';
  open: string;
  close?: string | undefined;
  keys: CallKeys;
  /** The list begins right behind the marker: white space makes it text. */
  glued: boolean;
  text_behind: 'content' | 'dropped';
  /** Tokens without text give empty deltas. */
  empty_deltas: boolean;
}

/** Calls that are read marker by marker. */
interface MarkedCalls extends Calls {
  /** Around all calls. `optional`: models forget it; `ends_turn`: nothing behind it counts. */
  section?: (Pair & { optional: boolean; ends_turn: boolean }) | undefined;
  /** Around each call. */
  wrapper?: Pair | undefined;
  known_functions_only: boolean;
  /** What a call is whose name was cut off. */
  cut_name: 'call' | 'dropped';
  text_between: 'content' | 'dropped';
  blank_around_calls: 'content' | 'dropped';
  /** Content beside calls loses the white space around it in complete answers. */
  strips_content: boolean;
}

/** A header with the name, then the arguments as JSON. */
export interface NameJsonCalls extends MarkedCalls {
  payload: 'name_json';
  call: { open: string[]; name_end: string[]; close: string };
  /** The header is the name, or an id such as `functions.get_weather:0`. */
  header: 'name' | 'function_id';
  /** Brought into the types of the function's schema, or as the model writes them. */
  arguments: 'typed' | 'as_written';
}

/** A name, then XML-like parameters whose values are text. */
export interface ParameterCalls extends MarkedCalls {
  payload: 'parameters';
  call: { open: string[]; name_end: string[]; close: string };
  parameter: Pair & { quoted_name: boolean };
  /** On lines of their own, or right between the tags. */
  values: 'lines' | 'verbatim';
}

/** A name, then keys and values between markers of their own. */
export interface PairCalls extends MarkedCalls {
  payload: 'pairs';
  call: { open: string[]; close: string };
  key: Pair;
  value: Pair;
}

/** A list of calls written as Python. */
export interface PythonListCalls extends Calls {
  payload: 'python';
  open?: string | undefined;
  close?: string | undefined;
  /** The output is nothing but the list, and markers may be missing; so where no markers are given. */
  alone: boolean;
  text_behind: 'content' | 'dropped';
  /** A list right behind a closed one is the same once more. */
  drops_echo: boolean;
  /** Quotes inside a string of the same quotes are read for what they mean. */
  mends_quotes: boolean;
}

/** The calls that are read by a table of markers. */
export type TableCalls = NameJsonCalls | ParameterCalls | PairCalls;

export type DeclaredCalls = JsonCalls | JsonListCalls | TableCalls | PythonListCalls;

export interface DeclaredReasoning extends Pair {
  /** Both markers must be tokens, and all up to the closing one is reasoning; else they are found in text too, and calls end it. */
  tokens_only: boolean;
  /** Markers that begin calls and so end reasoning, where the file does not declare the calls. */
  ends_at: string[];
  /** What an output begins with where the prompt does not say. */
  begins: 'reasoning' | 'content';
  /** Template arguments that switch thinking, and what holds without them; left out where it is always on. */
  thinking?: { switches: string[]; default: 'on' | 'off' } | undefined;
  /** Its markers in answers without thinking. */
  markers_when_off: 'hidden' | 'text';
  /** It may begin again in the content. */
  reopens: boolean;
  strips_end: boolean;
  drops_newlines_behind: boolean;
  /** Tokens that begin a turn: what stands in front of the last one in a prompt does not count. */
  turn_tokens: string[];
}

/** A format without code, as its file declares it. */
export interface Declaration {
  name: string;
  models: string;
  sample: string;
  tool_calls?: DeclaredCalls | undefined;
  reasoning?: DeclaredReasoning | undefined;
  /** In place of both. */
  response_template?: ResponseTemplate | undefined;
}
