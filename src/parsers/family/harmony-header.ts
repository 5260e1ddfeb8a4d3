/** What a Harmony header says of its message. */
export interface HarmonyHeader {
  /** Where the message's text belongs; `hidden` messages go to tools that the client does not run. */
  kind: 'reasoning' | 'content' | 'call' | 'hidden';
  /** The function's name in a call, else empty. */
  name: string;
}

const CHANNEL = '<|channel|>';
const CONSTRAIN = '<|constrain|>';
/** Tools of the model's own (browser, python, container): messages to them are no calls of the client's functions. */
const BUILT_IN = /^(?:browser|python|container)(?:\.|$)/;

function isFunction(recipient: string): boolean {
  return recipient !== 'assistant' && recipient !== 'functions.' && !BUILT_IN.test(recipient);
}

/**
 * Reads the text between `<|start|>` and `<|message|>`: a role, ` to=RECIPIENT` before or behind the channel, a content type.
 * The first message's header lacks `<|start|>` and role: the prompt holds them.
 */
export function parseHarmonyHeader(header: string): HarmonyHeader {
  const at = header.indexOf(CHANNEL);
  const channel = at === -1 ? null : (/^[^\s<]*/.exec(header.slice(at + CHANNEL.length))?.[0] ?? '');
  const recipient = /(?:^|\s)to=(\S+)/.exec(header.replaceAll(CHANNEL, ' ').replaceAll(CONSTRAIN, ' '))?.[1] ?? null;
  if (recipient !== null && isFunction(recipient)) {
    return { kind: 'call', name: recipient.replace(/^functions\./, '') };
  }
  if (channel === 'analysis') return { kind: 'reasoning', name: '' };
  if (channel === 'final' || (channel === 'commentary' && recipient === null)) return { kind: 'content', name: '' };
  return { kind: 'hidden', name: '' };
}
