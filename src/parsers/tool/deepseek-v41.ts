import { dsmlThinks, dsmlToolFormat } from '../family/dsml-format.ts';
import type { DsmlTool } from '../family/dsml-format.ts';
import type { DsmlDialect } from '../family/dsml-markers.ts';

export const DEEPSEEK_V41: DsmlDialect = {
  toolStart: ['<｜DSML｜ calls>'],
  toolEnd: '</｜DSML｜ calls>',
  invoke: '<｜DSML｜ invoke name="',
  invokeEnd: '</｜DSML｜ invoke>',
  parameter: '<｜DSML｜ parameter',
  parameterEnd: '</｜DSML｜ parameter>',
};

/**
 * DeepSeek V4.1: the markup of deepseek_v4, spaced.
 *
 *     <｜DSML｜ calls>
 *     <｜DSML｜ invoke name="get_weather">
 *     <｜DSML｜ parameter name="city" string="true">Bergen</｜DSML｜ parameter>
 *     </｜DSML｜ invoke>
 *     </｜DSML｜ calls>
 *
 * Specified by the encoder beside the model. Differs from the reference as deepseek_v32 does.
 */
export const deepseekV41: DsmlTool = dsmlToolFormat(
  {
    name: 'deepseek_v41',
    aliases: ['deepseekv41'],
    models: 'DeepSeek V4.1',
    sample:
      '<｜DSML｜ calls>\n<｜DSML｜ invoke name="get_weather">\n<｜DSML｜ parameter name="city" string="true">Bergen</｜DSML｜ parameter>\n</｜DSML｜ invoke>\n</｜DSML｜ calls>',
  },
  DEEPSEEK_V41,
  dsmlThinks,
);
