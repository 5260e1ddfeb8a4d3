import type { ParserContext, UnifiedFormat } from '../../core/stream-parser.ts';
import { createMuseParser, museState } from '../family/muse-messages.ts';
import type { MuseProfile, MuseState } from '../family/muse-messages.ts';

/*
 * <|start|>assistant to=self<|message|>Let me look it up.<|eom|>
 * <|start|>assistant to=get_weather<|message|><atem:function_calls>
 * <atem:invoke name="get_weather">
 * <atem:parameter name="city">Bergen</atem:parameter>
 * </atem:invoke>
 * </atem:function_calls><|eom|>
 * <|start|>assistant to=user<|message|>It rains.<|eot|>
 *
 * Messages by recipient: to `self` they are reasoning, to `user` content, to a function calls. Written by Muse Spark and Muse Glimmer;
 * specified by the response schema beside Glimmer's weights. A call comes when it is complete.
 *
 * As in the reference, text between messages is dropped, as are messages to `developer`, and in Glimmer those to `commentary` and to
 * nobody. On purpose unlike it: markers inside parameters are text, text in front of calls is content however it is cut, output that
 * has no message at all is content in streams too, and what a prompt opened goes on as reasoning.
 */

const SPARK: MuseProfile = {
  channels: { self: 'reasoning', user: 'content', commentary: 'content', developer: 'dropped' },
  unaddressed: 'reasoning',
  keepsStrings: true,
};

const GLIMMER: MuseProfile = {
  channels: { self: 'reasoning', user: 'content' },
  unaddressed: 'dropped',
  keepsStrings: false,
};

function museFormat(name: string, others: readonly string[], models: string, profile: MuseProfile): UnifiedFormat<MuseState> {
  return {
    kind: 'unified',
    name,
    aliases: others,
    toolNames: [name, ...others],
    reasoningNames: [name, ...others],
    models,
    sample: '<|start|>assistant to=self<|message|>Let me see.<|eom|><|start|>assistant to=user<|message|>It is 4.<|eot|>',
    stateVersion: 1,
    stateSchema: museState,
    create: (context: ParserContext) => createMuseParser(profile, context),
    promptEnded: () => false,
    forcedChoice: 'markup',
    whenNone: 'content',
    callDeltas: 'merged',
  };
}

export const muse: UnifiedFormat<MuseState> = museFormat('muse', ['musespark1x'], 'Muse Spark', SPARK);
export const museGlimmer: UnifiedFormat<MuseState> = museFormat('muse_glimmer', [], 'Muse Glimmer', GLIMMER);
