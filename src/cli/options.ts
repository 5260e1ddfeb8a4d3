import { MODEL_OPTIONS } from './model-options.ts';
import type { Option } from './option.ts';
import { SERVER_OPTIONS } from './server-options.ts';

/**
 * The one table of options: command line parsing, environment variables, `--config` files, `--help` and the README's list are all made
 * from it. Names and meanings are those of vLLM where vLLM has the option.
 */
export const OPTIONS: readonly Option[] = [...MODEL_OPTIONS, ...SERVER_OPTIONS];
