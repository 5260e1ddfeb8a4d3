import { ApiError } from '../core/errors.ts';
import { renderTemplatePrompt } from '../render/template-prompt.ts';
import type { TemplateJob, TemplatePrompt } from '../render/template-prompt.ts';
import { fromTransferable } from './transferable.ts';

/** What comes back from a worker: errors of our own lose their members between threads, so they come as data. */
export type TemplateOutcome =
  | { prompt: TemplatePrompt; milliseconds: number }
  | { refused: { status: number; type: string; message: string; param: string | null } };

/** Renders one template. Runs in a worker thread. @param job from `toTransferable` */
export function renderTemplate(job: unknown): TemplateOutcome {
  const start = performance.now();
  try {
    const prompt = renderTemplatePrompt(fromTransferable(job) as TemplateJob);
    return { prompt, milliseconds: performance.now() - start };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, type, message, param } = error;
    return { refused: { status, type, message, param } };
  }
}
