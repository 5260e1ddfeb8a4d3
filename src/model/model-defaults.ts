/**
 * What transformers 5.20 assumes for a model type where `config.json` leaves a member out: its configuration classes have defaults.
 * Only types that generate text are listed.
 */

const LENGTHS: Readonly<Record<number, string>> = {
  128: 'blenderbot',
  256: 'ctrl',
  448: 'whisper',
  512: 'bert bert-generation blenderbot-small camembert electra ernie megatron-bert moonshine openai-gpt prophetnet rembert roberta trocr xlm xlm-roberta xmod',
  750: 'kyutai_speech_to_text',
  1024: 'bart biogpt canary cohere_asr florence2 git gpt-sw3 gpt2 gpt_bigcode marian mbart mvp pegasus plbart rwkv seamless_m4t speech_to_text',
  2048:
    'aria aria_text bitnet blip-2 codegen dbrx deepseek_ocr2 deepseek_ocr2_text deepseek_v2 deepseek_vl deepseek_vl_hybrid diffllama doge ' +
    'dots1 exaone4 exaone4_5 exaone_moe falcon gpt_neo gpt_neox gpt_neox_japanese gptj granite granite4_vision granite4_vision_text ' +
    'granite_speech granite_speech_plus granitemoe granitemoe_swa granitemoehybrid granitemoeshared hrm_text hunyuan_v1_dense ' +
    'hunyuan_v1_moe hunyuan_vl hunyuan_vl_text hyperclovax hyperclovax_vision_v2 idefics idefics3 instructblip instructblipvideo janus ' +
    'kosmos-2 kosmos_2_text_model llama llava llava_next llava_next_video mpt nanochat olmo olmo2 olmo3 opt perception_lm phi smolvlm ' +
    'video_llava vipllava xglm',
  2560: 'pp_formulanet pp_formulanet_text',
  3000: 'moshi',
  3072: 'dia dia_decoder',
  4096:
    'arcee big_bird bigbird_pegasus blt chameleon deepseek_v3 flex_olmo helium jetmoe kimi_k25 kosmos-2.5 kosmos_2_5_text_model nemotron ' +
    'nemotron_h nemotron_h_omni olmoe phi3 reformer seamless_m4t_v2 stablelm starcoder2 zamba zamba2',
  8192:
    'aya_vision beam cohere cohere2 cohere2_moe cohere2_vision cohere_compass cohere_compass_text evolla falcon_h1 gemma gemma2 glmasr ' +
    'granite_swa jais2 modernbert-decoder paligemma vaultgemma',
  9216: 'emu3 emu3_text_model',
  16384: 'afmoe fuyu persimmon',
  32768:
    'axk1 fast_vlm gemma3n gemma3n_text glm46v glm4v glm4v_text got_ocr2 idefics2 internvl llava_onevision minicpm3 minicpmv4_6 ' +
    'minicpmv4_7 ovis2 qianfan_ocr qwen2 qwen2_5_omni qwen2_5_omni_text qwen2_5_omni_thinker qwen2_5_vl qwen2_5_vl_text qwen2_audio ' +
    'qwen2_moe qwen2_vl qwen2_vl_text qwen3 qwen3_5 qwen3_5_moe qwen3_5_moe_text qwen3_5_text qwen3_moe qwen3_next qwen3_omni_moe ' +
    'qwen3_omni_moe_text qwen3_omni_moe_thinker qwen4_exp qwen4_exp_text smollm3 unlimited_ocr unlimited_ocr_text vibevoice ' +
    'vibevoice_asr video_llama_3',
  36864: 'molmo2 molmo2_text',
  40960: 'fun_asr_nano lighton_ocr',
  65536: 'apertus glm4v_moe glm4v_moe_text olmo_hybrid qwen3_asr',
  128000: 'cosmos3_omni lfm2 lfm2_moe lfm2_vl qwen3_vl qwen3_vl_moe qwen3_vl_moe_text qwen3_vl_text step3p5 step3p7',
  131072:
    'axk2 cosmos3_edge cosmos3_edge_text cwm diffusion_gemma diffusion_gemma_text ernie4_5 ernie4_5_moe ernie4_5_vl_moe ' +
    'ernie4_5_vl_moe_text gemma3 gemma3_text gemma4 gemma4_text glm glm4 glm4_moe glm_ocr glm_ocr_text gpt_oss hy_v3 inkling_mm_model ' +
    'inkling_text laguna llama4 llama4_text longcat_flash mellum mimo_v2_flash minimax ministral mistral mistral3 mixtral mllama ' +
    'mllama_text_model moss_transcribe_diarize muse_glimmer muse_glimmer_text paddleocr_vl paddleocr_vl_text phi4_multimodal phimoe ' +
    'shieldgemma2 solar_open t5gemma2 t5gemma2_decoder voxtral voxtral_realtime voxtral_realtime_text youtu zaya',
  163840: 'deepseek_v32',
  196608: 'minimax_m2',
  202752: 'glm4_moe_lite glm_moe_dsa',
  262144: 'bailing_hybrid bamba gemma4_unified gemma4_unified_text hy_v4 jamba kolibri1 ministral3',
  524288: 'minimax_m3_vl minimax_m3_vl_text seed_oss',
  1048576: 'deepseek_v4 glm5_next glm5_next_text kimi_linear mistral4 muse_spark muse_spark_text',
};

const END_TOKENS: Readonly<Record<string, string>> = {
  '0': 'falcon_mamba mamba marian rwkv stablelm',
  '1':
    'bert-generation bigbird_pegasus deepseek_v3 deepseek_v32 deepseek_v4 diffusion_gemma gemma gemma2 gemma3 gemma3_text gemma3n ' +
    'gemma3n_text gemma4 gemma4_text gemma4_unified gemma4_unified_text glm4_moe_lite glm_moe_dsa kimi_k25 nanochat paligemma pegasus ' +
    'recurrent_gemma shieldgemma2 t5gemma2 unlimited_ocr vaultgemma xlm',
  '2':
    'apertus aria aria_text bamba bart big_bird biogpt blenderbot blenderbot-small blip-2 bloom camembert chameleon deepseek_ocr2 ' +
    'deepseek_v2 deepseek_vl deepseek_vl_hybrid diffllama ernie4_5 ernie4_5_moe exaone4 exaone4_5 falcon_h1 florence2 fuyu gpt_neox ' +
    'granite granite4_vision granite_speech granite_speech_plus granitemoe granitemoe_swa granitemoehybrid granitemoeshared helium ' +
    'hunyuan_v1_dense hunyuan_v1_moe hunyuan_vl hyperclovax hyperclovax_vision_v2 idefics idefics2 idefics3 inkling_mm_model ' +
    'inkling_text instructblip instructblipvideo jamba janus jetmoe kosmos-2 kosmos-2.5 lfm2 lfm2_moe lfm2_vl llama llama4 llama4_text ' +
    'llava llava_next llava_next_video longcat_flash mamba2 mbart minicpm3 minimax ministral ministral3 mistral mistral3 mistral4 ' +
    'mixtral moonshine mvp nemotron_h nemotron_h_omni opt paddleocr_vl perception_lm persimmon phi phimoe plbart prophetnet reformer ' +
    'roberta seed_oss smolvlm speech_to_text trocr video_llava vipllava voxtral voxtral_realtime xglm xlm-roberta xlnet xlstm xmod ' +
    'zamba zamba2',
  '3': 'canary cohere_asr nemotron seamless_m4t seamless_m4t_v2',
  '11': 'cosmos3_edge falcon',
  '53': 'exaone_moe',
  '106': 'zaya',
  '31999': 'gpt_neox_japanese',
  '32000': 'phi3',
  '50256': 'codegen gpt-sw3 gpt2 gpt_bigcode gpt_neo gptj starcoder2 whisper',
  '50279': 'olmo olmo2 olmo3 olmoe',
  '50282': 'modernbert-decoder',
  '100257': 'flex_olmo granite_swa olmo_hybrid',
  '120025': 'hy_v4',
  '128001': 'arcee bitnet mllama smollm3 youtu',
  '128009': 'evolla',
  '150024': 'jais2',
  '151643': 'vibevoice',
  '151645': 'qwen2_5_vl qwen2_vl',
  '151850': 'emu3',
  '156895': 'bailing_hybrid',
  '163586': 'kimi_linear',
  '163691': 'axk1 axk2',
  '200001': 'muse_glimmer muse_spark',
  '200020': 'minimax_m2 minimax_m3_vl minimax_m3_vl_text',
  '255001': 'aya_vision cohere cohere2 cohere2_moe cohere2_vision cohere_compass cohere_compass_text',
  '128001 128008 128009': 'cwm',
  '151329 151336 151338': 'glm glm4',
  '151643 151645': 'qwen3_asr',
  '199999 200020': 'phi4_multimodal',
  '59246 59253 59255': 'glmasr',
};

function byType(groups: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(groups).flatMap(([value, types]) => types.split(' ').map((type): [string, string] => [type, value])));
}

const LENGTH_BY_TYPE = byType(LENGTHS);
const END_TOKENS_BY_TYPE = byType(END_TOKENS);

/** Length in tokens of a model whose configuration names none; undefined where the type has no default either. */
export function defaultLength(modelType: string): number | undefined {
  const length = LENGTH_BY_TYPE.get(modelType);
  return length === undefined ? undefined : Number(length);
}

/** End token ids of a model whose files name none. */
export function defaultEndTokens(modelType: string): number[] {
  return END_TOKENS_BY_TYPE.get(modelType)?.split(' ').map(Number) ?? [];
}
