import { chatTemplateOf, renderTemplatePrompt } from '../render/template-prompt.ts';
import type { TemplateJob, TemplatePrompt } from '../render/template-prompt.ts';
import type { TemplatePool } from './template-pool.ts';

/** Renders that are expected to take longer than this leave the event loop, in ms. */
const LONG_MS = 10;
/** Templates whose speed is remembered. */
const MAX_TEMPLATES = 64;
/** Text of this many characters counts as one unit of work: about as much as a message without text. */
const UNIT_CHARACTERS = 4096;
/** Counted with every job, so that small ones, which mostly measure what is the same for all, say little about large ones. */
const BASE_UNITS = 20;
/** How fast an old measurement is forgotten. */
const NEW_SHARE = 0.5;

/** The size of a job in units of work. What templates cost is mostly turns of loops over messages; their text is only copied. */
function unitsOf({ messages }: TemplateJob): number {
  let characters = 0;
  for (const { content } of messages) {
    if (typeof content === 'string') characters += content.length;
    else for (const part of content ?? []) characters += typeof part === 'string' ? part.length : textLength(part);
  }
  return BASE_UNITS + messages.length + characters / UNIT_CHARACTERS;
}

function textLength(part: unknown): number {
  const text = typeof part === 'object' && part !== null && 'text' in part ? part.text : undefined;
  return typeof text === 'string' ? text.length : 0;
}

export interface RendererOptions {
  /** The other threads. */
  pool: Pick<TemplatePool, 'render' | 'close'>;
  /** The templates that the server was started with. */
  own: readonly string[];
  /** A clock in ms. */
  now?: () => number;
}

/**
 * Renders templates here or on another thread, by what the same template took before. Measured: handing a conversation over costs the event
 * loop half of what the chat templates of models take to render it, 3 us a message, so only slow templates and huge conversations are worth it.
 * Templates of requests, which may be anything, are first seen on the other thread.
 */
export class TemplateRenderer {
  private readonly pool: RendererOptions['pool'];
  private readonly now: () => number;
  /** Milliseconds a unit, by template; the one used last stands at the end. */
  private readonly speeds = new Map<string, number>();

  constructor({ pool, own, now = () => performance.now() }: RendererOptions) {
    this.pool = pool;
    this.now = now;
    for (const source of own) this.speeds.set(source, 0);
  }

  /** @throws ApiError 400 */
  render(job: TemplateJob): TemplatePrompt | Promise<TemplatePrompt> {
    const units = unitsOf(job);
    const speed = this.speeds.get(job.source);
    if (speed === undefined || speed * units > LONG_MS) return this.renderElsewhere(job, units);
    // Compiling is done once, and tells nothing of the next render.
    chatTemplateOf(job.source);
    const start = this.now();
    try {
      return renderTemplatePrompt(job);
    } finally {
      this.remember(job.source, (this.now() - start) / units);
    }
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async renderElsewhere(job: TemplateJob, units: number): Promise<TemplatePrompt> {
    const { prompt, milliseconds } = await this.pool.render(job);
    this.remember(job.source, milliseconds / units);
    return prompt;
  }

  private remember(source: string, speed: number): void {
    const before = this.speeds.get(source);
    this.speeds.delete(source);
    this.speeds.set(source, before === undefined ? speed : before + NEW_SHARE * (speed - before));
    if (this.speeds.size > MAX_TEMPLATES) this.speeds.delete(this.speeds.keys().next().value as string);
  }
}
