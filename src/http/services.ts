import type { DerenderService } from '../derender/service.ts';
import type { RenderService } from '../render/render-service.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';

/** Facts about the served model that answers show. */
export interface ServedModel {
  /** Names under which it is served; the first one stands in answers. */
  names: readonly string[];
  /** Where it came from, as given at the start. */
  root: string;
  maxModelLen: number;
}

/** What the routes of one server work with. */
export interface Services {
  model: ServedModel;
  tokenizer: Tokenizer;
  /** What `/tokenizer_info` shows. */
  tokenizerInfo: Readonly<Record<string, unknown>>;
  render: RenderService;
  derender: DerenderService;
  /** Ends what the services keep running. */
  close(): Promise<void>;
}
