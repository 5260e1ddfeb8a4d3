/** Runs a command with the words behind its name; gives the process's exit code. */
export type Command = (words: readonly string[]) => Promise<number>;

/** The commands besides starting the server. Their code is loaded when they are named, so that the server starts without it. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map<string, () => Promise<Command>>([]);
