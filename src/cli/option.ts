/** How an option's text is read. `count` takes `4096`, `4k` (4000), `4K` (4096) and so on. */
type OptionKind = 'text' | 'integer' | 'count' | 'flag' | 'list' | 'json';

/** One row of the table. */
export interface Option {
  /** The flag without its dashes; also the key in a configuration file, and `DERENDER_` + upper case in the environment. */
  name: string;
  aliases?: readonly string[];
  kind: OptionKind;
  /** The value where nothing is given; null where the absence itself means something. */
  default: string | number | boolean | readonly string[] | null;
  choices?: readonly string[];
  /** What stands for the value in `--help`. */
  placeholder?: string;
  /** Environment variables of other tools that are read after our own. */
  environment?: readonly string[];
  /** The value is a secret and is never printed. */
  secret?: boolean;
  group: OptionGroup;
  help: string;
}

type OptionGroup = 'Model' | 'Parsers and streams' | 'Prompts' | 'Sampling defaults and limits' | 'Server' | 'Security' | 'Logging';
