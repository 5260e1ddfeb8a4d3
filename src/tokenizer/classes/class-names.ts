/** Which tokenizer class transformers 5.20 registers for a model type. Types that have none, or the plain one, are not listed. */
const TYPES_BY_CLASS: Readonly<Record<string, string>> = {
  AlbertTokenizer: 'albert yoso',
  BarthezTokenizer: 'barthez',
  BartTokenizer: 'florence2',
  BertTokenizer:
    'align bark bert blip bros chinese_clip convbert distilbert electra ernie flava git grounding-dino layoutlm megatron-bert ' +
    'mm-grounding-dino nezha nomic_bert qdqbert realm retribert squeezebert tvp vilt visual_bert',
  BigBirdTokenizer: 'big_bird',
  BlenderbotTokenizer: 'blenderbot',
  CLIPTokenizer: 'aimv2 clip clipseg groupvit omdet-turbo oneformer owlv2 owlvit sam3 sam3_video xclip',
  CamembertTokenizer: 'camembert',
  CodeLlamaTokenizer: 'code_llama',
  CohereTokenizer: 'aya_vision cohere cohere2',
  DPRQuestionEncoderTokenizer: 'dpr',
  DebertaTokenizer: 'deberta',
  DebertaV2Tokenizer: 'deberta-v2',
  FNetTokenizer: 'fnet',
  FunnelTokenizer: 'funnel',
  GPT2Tokenizer: 'blip-2 codegen dbrx emu3 gpt2 gpt_neo gptj hyperclovax_vision_v2 instructblip instructblipvideo jais2 opt phi starcoder2',
  GPTNeoXTokenizer: 'falcon_mamba gpt_neox mamba mamba2 mpt olmo olmoe rwkv xlstm',
  GemmaTokenizer: 'diffusion_gemma gemma gemma2 gemma3 gemma3_text gemma3n gemma3n_text recurrent_gemma shieldgemma2 t5gemma zaya',
  HerbertTokenizer: 'herbert',
  LEDTokenizer: 'led',
  LasrTokenizer: 'lasr_ctc lasr_encoder',
  LayoutLMv2Tokenizer: 'layoutlmv2',
  LayoutLMv3Tokenizer: 'layoutlmv3',
  LayoutXLMTokenizer: 'layoutxlm',
  LlamaTokenizer: 'idefics idefics2',
  LukeTokenizer: 'luke',
  LxmertTokenizer: 'lxmert',
  MBart50Tokenizer: 'mbart50',
  MBartTokenizer: 'mbart',
  MLukeTokenizer: 'mluke',
  MPNetTokenizer: 'mpnet',
  MarkupLMTokenizer: 'markuplm',
  MobileBertTokenizer: 'mobilebert',
  MvpTokenizer: 'mvp',
  NllbTokenizer: 'nllb nllb-moe',
  NougatTokenizer: 'nougat pp_formulanet',
  OpenAIGPTTokenizer: 'openai-gpt',
  ParakeetTokenizer: 'granite_speech5_ctc nemotron3_5_asr nemotron_asr_streaming parakeet_ctc parakeet_rnnt parakeet_tdt',
  PegasusTokenizer: 'pegasus',
  Qwen2Tokenizer:
    'audioflamingo3 colqwen2 cosmos3_omni fun_asr_nano hunyuan_vl internvl lighton_ocr moss_transcribe_diarize ovis2 qianfan_ocr ' +
    'qwen2 qwen2_5_omni qwen2_5_vl qwen2_audio qwen2_moe qwen2_vl qwen3 qwen3_asr qwen3_moe qwen3_next qwen3_omni_moe qwen3_vl ' +
    'qwen3_vl_moe vibevoice',
  Qwen3_5Tokenizer: 'qwen3_5 qwen3_5_moe qwen3_5_moe_text qwen3_5_text qwen4_exp',
  ReformerTokenizer: 'reformer',
  RemBertTokenizer: 'rembert',
  RobertaTokenizer: 'bart bridgetower clap data2vec-text ibert lilt longformer mega mra roberta roberta-prelayernorm',
  SeamlessM4TTokenizer: 'seamless_m4t seamless_m4t_v2',
  Siglip2Tokenizer: 'siglip2',
  SplinterTokenizer: 'splinter',
  T5Tokenizer: 'mt5 musicgen musicgen_melody switch_transformers t5',
  Tipsv2Tokenizer: 'tipsv2',
  UdopTokenizer: 'udop',
  VideoPrismTokenizer: 'videoprism',
  WhisperTokenizer: 'whisper',
  XGLMTokenizer: 'xglm',
  XLMRobertaTokenizer: 'gte jina_embeddings_v3 metaclip_2 trocr xlm-roberta xmod',
  XLNetTokenizer: 'xlnet',
};

/** Model types whose registered class is the plain one (the pipeline of `tokenizer.json`), whatever their files name. */
const PLAIN_TYPES =
  'EvollaModel aria beam bigbird_pegasus canary flex_olmo glm glm4 glm4_moe glm4_moe_lite glm4v glm4v_moe glm_image glmasr got_ocr2 ' +
  'gpt_bigcode granite granitemoe granitemoehybrid granitemoeshared kimi_k25 kimi_linear kosmos-2 mimo_v2_flash minicpmv4_6 ' +
  'minicpmv4_7 ministral ministral3 mistral mistral3 mixtral nystromformer olmo2 olmo3 olmo_hybrid pegasus_x persimmon pix2struct ' +
  'pixtral stablelm umt5 voxtral voxtral_realtime xlm-roberta-xl';

/** Model types whose files name a wrong class: the registered one is taken, or the plain one where none is. */
const WRONGLY_NAMED_TYPES =
  'arctic camembertv2-base chameleon chatlm cohere_asr deepseek_ocr deepseek_ocr2 deepseek_v2 deepseek_v3 deepseek_v32 deepseek_v4 ' +
  'deepseek_vl deepseek_vl_hybrid deepseek_vl_v2 ernie4_5 ernie4_5_moe fuyu h2ovl_chat hyperclovax hyperclovax_vision_v2 ' +
  'hyperclovax_vlm internlm2 jamba janus llava llava_next minicpm3 minicpmv minimax_m2 modernbert modernbert-decoder molmo molmo2 ' +
  'nemotron nvfp4 opencua openvla paddleocr_vl phi3 phi3_v phimoe qwen2 qwen3_5 qwen3_5_moe qwen3_5_moe_text qwen4_exp siglip2 ' +
  'smolvlm step3_vl step3p5 unlimited_ocr vipllava';

/** Model types for which vLLM takes the plain class before anything is asked. */
const ALWAYS_PLAIN_TYPES = 'internlm2 step3_vl step3p7 step5 step5_vl unlimited-ocr unlimited_ocr';

/** Names that stand for another class. */
export const CLASS_ALIASES: Readonly<Record<string, string>> = {
  BartTokenizer: 'RobertaTokenizer',
  LEDTokenizer: 'RobertaTokenizer',
  MvpTokenizer: 'RobertaTokenizer',
  LxmertTokenizer: 'BertTokenizer',
  MobileBertTokenizer: 'BertTokenizer',
  SqueezeBertTokenizer: 'BertTokenizer',
};

/** The class that keeps the pipeline of `tokenizer.json`. */
export const PLAIN_CLASS = 'TokenizersBackend';

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Model type to registered class. */
export const REGISTERED_CLASSES: ReadonlyMap<string, string> = new Map([
  ...[...words(PLAIN_TYPES), ...words(WRONGLY_NAMED_TYPES)].map((type): [string, string] => [type, PLAIN_CLASS]),
  ...Object.entries(TYPES_BY_CLASS).flatMap(([name, types]) => types.split(' ').map((type): [string, string] => [type, name])),
]);
export const WRONGLY_NAMED: ReadonlySet<string> = words(WRONGLY_NAMED_TYPES);
export const ALWAYS_PLAIN: ReadonlySet<string> = words(ALWAYS_PLAIN_TYPES);
