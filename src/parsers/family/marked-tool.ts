import type { ParserContext, StreamParser } from '../../core/stream-parser.ts';
import { closeGate, endGateChunk, openGate } from './content-gate.ts';
import type { MarkedFormat } from './marked-format.ts';
import { createMarkedLexer } from './marked-lexer.ts';
import { MarkedToolReading } from './marked-tool-reading.ts';
import type { ToolRequest } from './marked-tool-reading.ts';
import type { MarkedToolRules, MarkedToolState } from './marked-tool-state.ts';

/** The tool parser of a marked format. What a reasoning parser in front of it has read is not shown to it. */
export function createMarkedTool<Arguments>(
  format: MarkedFormat,
  rules: MarkedToolRules<Arguments>,
  context: ParserContext,
): StreamParser<MarkedToolState<Arguments>> {
  const lexer = createMarkedLexer(format.markers, context);
  const request: ToolRequest<Arguments> = {
    format,
    rules,
    content: { dropsBlank: rules.dropsBlank, waits: context.mode === 'stream' },
    context,
    silent: context.toolChoice === 'none' && context.tools.length > 0,
    propertiesByName: new Map(),
  };
  return {
    init: () => ({
      held: '',
      mode: 'content',
      call: 'none',
      raw: '',
      name: '',
      calls: 0,
      arguments: null,
      doubtful: null,
      trailing: '',
      gate: openGate(),
    }),
    push(state, piece, sink): void {
      state.held = lexer.push(state.held, piece, new MarkedToolReading(request, state, sink));
    },
    endChunk(state, sink): void {
      new MarkedToolReading(request, state, sink).endChunk();
      endGateChunk(state.gate, sink);
    },
    finish(state, sink): void {
      sink.outputEnded?.();
      const reading = new MarkedToolReading(request, state, sink);
      const space = state.held === '' ? '' : (state.doubtful?.space ?? '');
      reading.settle();
      // Among calls, what may begin a marker is the beginning of one that was cut off.
      if (state.mode === 'content' || state.mode === 'reasoning' || state.call === 'refused') {
        reading.text(space);
        lexer.flush(state.held, reading);
      }
      reading.cut(state.held);
      state.held = '';
      closeGate(state.gate, sink);
    },
  };
}
