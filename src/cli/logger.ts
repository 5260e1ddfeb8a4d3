import pino, { type Logger } from 'pino';

/** The server's logger: JSON lines, or readable ones where the output is a terminal. Nothing of a request's content is logged. */
export async function createLogger(level: string): Promise<Logger> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime } as const;
  if (!process.stdout.isTTY) return pino(options);
  const { build } = await import('pino-pretty');
  // On this thread, so that the last lines before an exit are not lost.
  return pino(options, build({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' }));
}
