import type { Piscina } from 'piscina';
import { ApiError } from '../core/errors.ts';
import type { TemplateJob, TemplatePrompt } from '../render/template-prompt.ts';
import type { TemplateOutcome } from './template-worker.ts';
import { toTransferable } from './transferable.ts';

const IDLE_MS = 60_000;

/** Threads that render templates, so that the event loop keeps answering. The first job starts the first thread. */
export class TemplatePool {
  private pool: Promise<Piscina<unknown, TemplateOutcome>> | undefined;
  private readonly threads: number;

  /** @param threads most threads at a time, at least 1 */
  constructor(threads: number) {
    this.threads = threads;
  }

  /**
   * Renders a template on another thread.
   * @returns the prompt, and the time that it took there in ms
   * @throws ApiError as rendering here would
   */
  async render(job: TemplateJob): Promise<{ prompt: TemplatePrompt; milliseconds: number }> {
    this.pool ??= this.start();
    const pool = await this.pool;
    const outcome = await pool.run(toTransferable(job));
    if ('prompt' in outcome) return outcome;
    const { status, type, message, param } = outcome.refused;
    throw new ApiError(status, type, message, param);
  }

  async close(): Promise<void> {
    const pool = await this.pool;
    await pool?.destroy();
  }

  private async start(): Promise<Piscina<unknown, TemplateOutcome>> {
    // Most servers never need a thread, so they do not load what makes them either.
    const { Piscina: Pool } = await import('piscina');
    // Run from its TypeScript sources, a worker needs the loader that the main thread has.
    const isSource = import.meta.url.endsWith('.ts');
    return new Pool({
      filename: new URL(isSource ? './template-worker.ts' : './template-worker.js', import.meta.url).href,
      name: 'renderTemplate',
      minThreads: 0,
      maxThreads: this.threads,
      idleTimeout: IDLE_MS,
      ...(isSource ? { execArgv: ['--import', 'tsx'] } : {}),
    });
  }
}
