import pino, { type Logger } from 'pino';

/** The server's logger: JSON lines, or readable ones where the output is a terminal. Nothing of a request's content is logged. */
export function createLogger(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime } as const;
  if (!process.stdout.isTTY) return pino(options);
  return pino({ ...options, transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' } } });
}
