import { dsmlToolFormat } from '../family/dsml-format.ts';
import type { DsmlTool } from '../family/dsml-format.ts';

/**
 * DeepSeek V3.2: calls in a block of its own markup language; a parameter says whether it is text or JSON.
 *
 *     <｜DSML｜function_calls>
 *     <｜DSML｜invoke name="get_weather">
 *     <｜DSML｜parameter name="city" string="true">Bergen</｜DSML｜parameter>
 *     <｜DSML｜parameter name="days" string="false">2</｜DSML｜parameter>
 *     </｜DSML｜invoke>
 *     </｜DSML｜function_calls>
 *
 * Specified by the encoder beside the model. As in the reference, calls end the turn: text behind them is dropped. Other than the
 * reference: a call whose name was cut off is none, a value that was cut off is given as far as it came, and arguments taken out of a
 * wrapper may stand beside others.
 */
export const deepseekV32: DsmlTool = dsmlToolFormat(
  {
    name: 'deepseek_v32',
    aliases: ['deepseek32', 'deepseekv32', 'deepseek_v3_2'],
    models: 'DeepSeek V3.2',
    sample:
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Bergen</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  },
  {
    toolStart: ['<｜DSML｜function_calls>'],
    toolEnd: '</｜DSML｜function_calls>',
    invoke: '<｜DSML｜invoke name="',
    invokeEnd: '</｜DSML｜invoke>',
    parameter: '<｜DSML｜parameter',
    parameterEnd: '</｜DSML｜parameter>',
  },
  null,
);
