import { dsmlThinks, dsmlToolFormat } from '../family/dsml-format.ts';
import type { DsmlTool } from '../family/dsml-format.ts';
import type { DsmlDialect } from '../family/dsml-markers.ts';

/** The models are known to misspell what opens the block. */
export const DEEPSEEK_V4: DsmlDialect = {
  toolStart: ['<｜DSML｜tool_calls>', '<｜DSML｜toolcalls>', '<｜DSML｜tool>'],
  toolEnd: '</｜DSML｜tool_calls>',
  invoke: '<｜DSML｜invoke name="',
  invokeEnd: '</｜DSML｜invoke>',
  parameter: '<｜DSML｜parameter',
  parameterEnd: '</｜DSML｜parameter>',
};

/**
 * DeepSeek V4: the markup of deepseek_v32 in a block of another name.
 *
 *     <｜DSML｜tool_calls>
 *     <｜DSML｜invoke name="get_weather">
 *     <｜DSML｜parameter name="city" string="true">Bergen</｜DSML｜parameter>
 *     </｜DSML｜invoke>
 *     </｜DSML｜tool_calls>
 *
 * Specified by the encoder beside the model. Differs from the reference as deepseek_v32 does.
 */
export const deepseekV4: DsmlTool = dsmlToolFormat(
  {
    name: 'deepseek_v4',
    aliases: ['deepseekv4', 'deepseek-v4'],
    models: 'DeepSeek V4',
    sample:
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Bergen</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  },
  DEEPSEEK_V4,
  dsmlThinks,
);
