/** Gives `use` the path of a file with these contents; the file is gone afterwards. */
export type WithScratchFile = <Result>(pieces: readonly Uint8Array[], use: (path: string) => Result) => Result;

/** The files that a tokenizer is made from. */
export interface TokenizerFiles {
  /** As it was asked for: a directory or a name on a hub. */
  readonly name: string;
  /** `tokenizer_config.json`, `{}` where there is none. */
  readonly tokenizerConfig: Readonly<Record<string, unknown>>;
  /** `config.json` beside the tokenizer, `{}` where there is none. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Names of all files that are there. */
  readonly fileNames: readonly string[];
  /** A file's content, undefined where it is missing. */
  readonly readFile: (name: string) => Buffer | undefined;
  /** Lets the native library load from a file, which saves memory; absent where no file can be written. */
  readonly withScratchFile?: WithScratchFile;
}
