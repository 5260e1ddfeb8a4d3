import type { ParserContext, StreamParser } from '../../core/stream-parser.ts';
import { cutCallList, isInCallString, readCallList, startCallList } from './call-list.ts';
import type { CallListSink } from './call-list.ts';
import { createGatedParser, GatedReading } from './gated-reading.ts';
import { scanToClose, startScan } from './json-scan.ts';
import { UNKNOWN_SPECIAL } from './marked-lexer.ts';
import type { Markers } from './marked-lexer.ts';
import { ARGS, CALL_ID, TOOL_CALLS, mistralArguments, mistralThinkMarkers, startListed, startMistral } from './mistral-form.ts';
import type { MistralState } from './mistral-form.ts';
import type { Properties } from './schema-coercion.ts';
import { holdEnd, isBlank, strip } from './white-space.ts';

const ID = /^[A-Za-z0-9]{9}$/;

function markersOf(context: ParserContext): Markers {
  const calls = { call: [TOOL_CALLS], id: [CALL_ID], arguments: [ARGS], brace: ['{'] };
  const think = context.hasReasoningParser ? mistralThinkMarkers(context) : null;
  const byToken = ['call', 'id', 'arguments'];
  if (!think) return { spellings: calls, byToken };
  return {
    spellings: { ...calls, 'think-start': [think.start], 'think-end': [think.end] },
    byToken: think.isToken ? [...byToken, 'think-start', 'think-end'] : byToken,
  };
}

/** Reads one piece. */
class Reading extends GatedReading<MistralState> {
  private readonly list: CallListSink = {
    start: (name) => this.startListed(name),
    arguments: (text) => this.write(text),
    end: () => this.endTool(),
    stray: (text, lone) => this.stray(text, lone),
  };

  marker(name: string, text: string): void {
    const { state } = this;
    if (name === UNKNOWN_SPECIAL) return;
    if (state.mode === 'closed' && (name === 'think-start' || name === 'think-end')) this.endCall();
    const isPlain = state.mode === 'content' || state.mode === 'reasoning';
    if (isPlain && name === 'think-start') state.mode = 'reasoning';
    else if (isPlain && name === 'think-end') this.endReasoning();
    else if (name === 'call' && !this.isInString()) this.startCall();
    else if (state.mode !== 'header') this.text(text);
    else if (name === 'arguments') state.mode = 'arguments';
    else if (name === 'brace') this.startArguments();
    else state.name += text;
  }

  text(text: string): void {
    const { state } = this;
    if (state.mode === 'reasoning') this.reasoning(text);
    else if (state.mode === 'header') {
      state.name += text;
      this.touch();
    } else if (state.mode === 'arguments') this.argument(text);
    else if (state.mode === 'list') this.listed(text);
    else if (state.mode !== 'closed') this.content(text);
    else if (isBlank(text)) state.space += text;
    else {
      const { space } = state;
      this.endCall();
      this.content(space + text);
    }
  }

  cut(): void {
    this.endCall();
  }

  /** The open call, if there is one, ends here, or the output does. */
  private endCall(): void {
    const { state } = this;
    const { mode } = state;
    if (mode === 'list') cutCallList(state.list, this.list);
    if (mode === 'header' || mode === 'arguments' || mode === 'closed') {
      this.touch();
      if (mode === 'arguments' || strip(state.name) !== '') this.announce();
      if (state.given) {
        mistralArguments.end(state.arguments, this.properties(), (json) => this.write(json));
        this.endTool();
      }
    }
    if (mode === 'reasoning') return;
    state.mode = 'content';
    state.space = '';
  }

  private isInString(): boolean {
    const { mode, scan, list } = this.state;
    return (mode === 'arguments' && scan.inString) || (mode === 'list' && isInCallString(list));
  }

  private startCall(): void {
    const { state } = this;
    this.endCall();
    if (state.mode === 'reasoning') this.endReasoning();
    state.mode = 'header';
    state.name = '';
    state.given = false;
    state.arguments = mistralArguments.start();
    state.scan = startScan();
    state.space = '';
    this.touch();
    this.passCall();
  }

  /** A brace follows the header: the arguments', or that of a list in the older form. */
  private startArguments(): void {
    const { state } = this;
    if (strip(state.name) === '[') {
      state.mode = 'list';
      state.list = startCallList();
      this.listed(`${state.name}{`);
    } else {
      state.mode = 'arguments';
      this.argument('{');
    }
  }

  private argument(text: string): void {
    const { state } = this;
    const end = scanToClose(state.scan, text, 0);
    this.touch();
    this.announce();
    const part = end === -1 ? text : text.slice(0, end);
    mistralArguments.push(state.arguments, part, this.properties(), (json) => this.write(json));
    if (end === -1) return;
    state.mode = 'closed';
    if (end < text.length) this.text(text.slice(end));
  }

  private listed(text: string): void {
    this.touch();
    const { result, end } = readCallList(this.state.list, text, this.list);
    if (result === 'open') return;
    this.state.mode = 'content';
    if (end < text.length) this.content(text.slice(end));
  }

  private startListed(name: string): void {
    this.state.name = name;
    if (this.silent) return;
    startListed(this.state, name, this.sink);
    this.state.gate.gaveCall = true;
  }

  private stray(text: string, lone: boolean): void {
    if (!lone) return this.content(text);
    this.startListed('');
    this.write(text);
    this.endTool();
  }

  /** Gives out the open call's name. */
  private announce(): void {
    const { state } = this;
    if (state.given) return;
    state.given = true;
    const [written = '', id = ''] = state.name.split(CALL_ID);
    state.name = strip(written);
    if (ID.test(strip(id))) this.startTool(state.name, strip(id));
    else this.startTool(state.name);
  }

  private reasoning(text: string): void {
    const [given, held] = holdEnd(this.state.space, text);
    this.state.space = held;
    if (given !== '') this.sink.reasoning(given);
  }

  private endReasoning(): void {
    this.state.mode = 'content';
    this.state.space = '';
  }

  /** In complete answers, arguments take the types of their schemas afterwards. */
  protected override properties(): Properties {
    return this.context.mode === 'one-shot' ? {} : super.properties();
  }
}

/** Calls as Mistral models since tokenizer version 11 write them, each behind a marker of its own. */
export function createMistralNames(context: ParserContext): StreamParser<MistralState> {
  return createGatedParser(markersOf(context), Reading, () => startMistral('content'), context);
}
