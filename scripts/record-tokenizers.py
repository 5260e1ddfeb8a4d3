"""Records what transformers, mistral-common and vLLM make of small vocabularies.

usage: python record-tokenizers.py [TEKKEN_FILE]      (in an environment with vllm 0.33.0, transformers 5.20, mistral-common)

Reads fixtures/tokenizer/vocabularies/. Writes
  fixtures/tokenizer/classes.json.gz: what each tokenizer class rebuilds of a tokenizer.json, for several configurations
  fixtures/tokenizer/conversions.json.gz: tokenizers made from files other than tokenizer.json
  fixtures/tokenizer/mistral.json.gz: the tokenizer mode `mistral` (with TEKKEN_FILE also mistral-tekken.json.gz, for that file)
  fixtures/model/lengths.json.gz: maximum length and end tokens for many config.json
"""

import gzip
import json
import logging
import os
import random
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from types import SimpleNamespace

os.environ |= {"VLLM_TARGET_DEVICE": "cpu", "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_LOGGING_LEVEL": "CRITICAL"}
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from transformers import AutoTokenizer

FIXTURES = Path(__file__).parent.parent / "fixtures"
VOCABULARIES = FIXTURES / "tokenizer" / "vocabularies"
TEXTS = [
    "Hello world", "  two  spaces and\ttab\n\nnewlines ", 'The answer is in JSON: {"a": [1, 22, 333]}', "äöüß Äpfel naïve façade ﬁ Ａ①",
    "Привет 世界 こんにちは 😀👍🏽", "<s>special</s> <|endoftext|> <mask> [MASK] [INST] <tool_call>x [X] <sep>", "``quoted'' can't we'll",
    "x  <mask>  y", "", " ", "x",
]


def save(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(), mtime=0))
    print(path.name, len(value), "cases,", sum("error" in case for case in value), "errors")


def added(content, special=True, **flags):
    return {"content": content, "lstrip": False, "normalized": False, "rstrip": False, "single_word": False, "special": special, **flags}


def token(content, **flags):
    return {"__type": "AddedToken", "content": content, "lstrip": False, "normalized": True, "rstrip": False, "single_word": False, **flags}


def load(files, tokenizer_config, config):
    """A tokenizer as vLLM loads it, from contents by file name."""
    with tempfile.TemporaryDirectory() as directory:
        for name, content in files.items():
            Path(directory, name).write_bytes(content)
        if tokenizer_config is not None:
            Path(directory, "tokenizer_config.json").write_text(json.dumps(tokenizer_config))
        Path(directory, "config.json").write_text(json.dumps(config))
        return AutoTokenizer.from_pretrained(directory, truncation_side="left", mistral_format=False)


def describe(tokenizer):
    return {
        "class": type(tokenizer).__name__,
        "allSpecialIds": [id for id in tokenizer.all_special_ids if id is not None],
        "specialTokens": tokenizer.special_tokens_map,
        "eos": tokenizer.eos_token_id, "bos": tokenizer.bos_token_id, "length": len(tokenizer),
    }


def try_out(tokenizer):
    try:
        encode = [[text, tokenizer.encode(text, add_special_tokens=False), tokenizer.encode(text)] for text in TEXTS]
    except TypeError:  # classes for documents take words with boxes
        encode = []
    sequences = [ids for _, _, ids in encode] + [[*(encode[4][1][:-1] if encode else range(20, 60)), *(encode[5][2] if encode else [])]]
    tokens = tokenizer.convert_ids_to_tokens(sequences[-1])
    return {
        "encode": encode,
        "decode": [[[*ids, len(tokenizer) + 5], tokenizer.decode([*ids, len(tokenizer) + 5]), tokenizer.decode(ids, skip_special_tokens=True)] for ids in sequences],
        "join": [tokens, tokenizer.convert_tokens_to_string(tokens)],
    }


CLASSES = {
    "sentencepiece-bpe": "LlamaTokenizer CodeLlamaTokenizer GemmaTokenizer Siglip2Tokenizer Tipsv2Tokenizer NllbTokenizer SeamlessM4TTokenizer ReformerTokenizer",
    "bpe-words": "HerbertTokenizer OpenAIGPTTokenizer",
    "byte-level": "GPT2Tokenizer CodeGenTokenizer GPTNeoXTokenizer WhisperTokenizer RobertaTokenizer LayoutLMv3Tokenizer LukeTokenizer MarkupLMTokenizer "
    "BlenderbotTokenizer DebertaTokenizer CohereTokenizer NougatTokenizer Qwen2Tokenizer Qwen3_5Tokenizer CLIPTokenizer BartTokenizer PreTrainedTokenizerFast",
    "word-piece": "BertTokenizer DistilBertTokenizer DPRContextEncoderTokenizer DPRQuestionEncoderTokenizer DPRReaderTokenizer LayoutLMv2Tokenizer "
    "ConvBertTokenizer FunnelTokenizer MPNetTokenizer SplinterTokenizer",
    "unigram": "AlbertTokenizer FNetTokenizer T5Tokenizer LasrTokenizer VideoPrismTokenizer UdopTokenizer BarthezTokenizer BigBirdTokenizer CamembertTokenizer "
    "DebertaV2Tokenizer LayoutXLMTokenizer MBartTokenizer MBart50Tokenizer MLukeTokenizer PegasusTokenizer RemBertTokenizer XGLMTokenizer XLMRobertaTokenizer XLNetTokenizer",
}
CONFIGURATIONS = {
    "LlamaTokenizer": [{"legacy": True}, {"legacy": False, "add_prefix_space": False}, {"add_prefix_space": None, "legacy": None, "unk_token": None}],
    "CodeLlamaTokenizer": [{"add_prefix_space": False}],
    "AlbertTokenizer": [{"do_lower_case": False, "keep_accents": True, "add_prefix_space": False}],
    "DebertaV2Tokenizer": [{"do_lower_case": True, "split_by_punct": True, "add_prefix_space": False}],
    "RemBertTokenizer": [{"do_lower_case": True, "keep_accents": False}],
    "BertTokenizer": [{"do_lower_case": False, "tokenize_chinese_chars": False, "strip_accents": True, "clean_up_tokenization_spaces": True, "clean_text": False}],
    "FunnelTokenizer": [{"clean_text": False, "wordpieces_prefix": "@@"}],
    "NllbTokenizer": [{"src_lang": "fra_Latn", "legacy_behaviour": True}, {"extra_special_tokens": ["eng_Latn", "deu_Latn"]}],
    "SeamlessM4TTokenizer": [{"tgt_lang": "eng"}],
    "MBartTokenizer": [{"src_lang": "fr_XX"}],
    "MBart50Tokenizer": [{"src_lang": "fr_XX"}],
    "GPTNeoXTokenizer": [{"add_prefix_space": True, "trim_offsets": False, "add_bos_token": True}],
    "GPT2Tokenizer": [{"add_prefix_space": True, "errors": "replace", "clean_up_tokenization_spaces": True}],
    "RobertaTokenizer": [{"add_prefix_space": True, "trim_offsets": False}],
    "WhisperTokenizer": [{"predict_timestamps": True}],
    "MarkupLMTokenizer": [{"tags_dict": {"a": 0}}],
    "T5Tokenizer": [{"extra_ids": 3}, {"additional_special_tokens": ["<extra_id_0>", "<extra_id_1>"]}, {"extra_ids": 0}],
    "PegasusTokenizer": [{"offset": 5}, {"offset": 4, "mask_token_sent": None}],
    "XLNetTokenizer": [{"do_lower_case": True, "unk_id": 3}],
    "XGLMTokenizer": [{"additional_special_tokens": ["<madeupword1>"]}],
    "CLIPTokenizer": [{"unk_token": "<unk>"}],
    "Qwen2Tokenizer": [
        {"add_prefix_space": True, "bos_token": None, "pad_token": "<|endoftext|>", "additional_special_tokens": ["<|im_start|>", "<|im_end|>"],
         "added_tokens_decoder": {"0": added("<|endoftext|>"), "700": added("<|im_start|>", lstrip=True), "701": added("<|im_end|>"), "702": added("<tool_call>", False)}},
    ],
    "GemmaTokenizer": [
        {"mask_token": "<mask>", "added_tokens_decoder": {"0": added("<unk>"), "1": added("<s>"), "5": added("<0x02>", False), "1200": added("<start_of_turn>"), "1201": added("<mask>", False)}},
    ],
    "CohereTokenizer": [{"added_tokens_decoder": {"0": added("<PAD>"), "1": added("<UNK>", normalized=True)}, "cls_token": token("<CLS>", lstrip=True)}],
    "PreTrainedTokenizerFast": [
        {"added_tokens_decoder": {"0": added("<|endoftext|>"), "900": added("<a>"), "901": added("<b>", False, rstrip=True)}, "bos_token": "<a>", "image_token": "<img>", "extra_special_tokens": {"audio_token": "<aud>"}},
        {"eos_token": "</s>", "pad_token": token("<p2>", lstrip=True), "additional_special_tokens": ["<x>", "<mask>"], "clean_up_tokenization_spaces": True},
        {"add_bos_token": True, "bos_token": "<s>", "unk_token": "<unk>", "sep_token": "nosuch", "cls_token": "<s>"},
    ],
}
OLDER_FILES = [
    {"special_tokens_map.json": {"eos_token": {"content": "</s>", "lstrip": False, "normalized": True, "rstrip": False, "single_word": False}, "unk_token": "<unk>", "additional_special_tokens": ["<eop>", "<eod>"]},
     "added_tokens.json": {"<eop>": 950, "<plain>": 951, "</s>": 2}},
    {"special_tokens_map.json": {"extra_special_tokens": ["<eop>", "<eod>"]}},
]
CHOICE_TYPES = "qwen2 qwen3 qwen3_5 mistral mixtral gemma2 phi3 llama gpt2 internlm2 cohere deepseek_v3 glm4 gpt_oss siglip2 bert granite olmo idefics2 hyperclovax_vision_v2"
CHOICE_NAMES = [None, "LlamaTokenizerFast", "Qwen2Tokenizer", "PreTrainedTokenizerFast", "GemmaTokenizerFast", "GPT2Tokenizer", "SomethingOwn", "TokenizersBackend"]


def record_classes():
    cases = []

    def case(name, base, tokenizer_config, config={"model_type": "llama"}, files={}, without=(), texts=True):
        file = json.loads((VOCABULARIES / f"{base}.json").read_text())
        for member in without:
            file[member] = None if member == "post_processor" else []
        contents = {"tokenizer.json": json.dumps(file).encode(), **{name: json.dumps(value).encode() for name, value in files.items()}}
        record = {"name": name, "base": base, "without": list(without), "tokenizerConfig": tokenizer_config, "config": config, "files": files}
        try:
            tokenizer = load(contents, tokenizer_config, config)
            effective = json.loads(tokenizer._tokenizer.to_str())
            for member in ("vocab", "merges"):
                effective["model"].pop(member, None)
            record |= describe(tokenizer)
            record["effective"] = {name: effective[name] for name in ("added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model")}
            if texts:
                record |= try_out(tokenizer)
        except Exception as error:
            record["error"] = f"{type(error).__name__}: {error}"[:150]
        cases.append(record)

    for base, names in CLASSES.items():
        for name in names.split():
            required = CONFIGURATIONS[name][0] if name == "MarkupLMTokenizer" else {}
            for index, extra in enumerate([{}, *CONFIGURATIONS.get(name, [])]):
                case(f"{name} {index}", base, {"tokenizer_class": name, **required, **extra})
            if name in ("LlamaTokenizer", "CodeGenTokenizer", "AlbertTokenizer", "FNetTokenizer", "RemBertTokenizer", "BertTokenizer", "GPT2Tokenizer", "PreTrainedTokenizerFast"):
                case(f"{name} without post-processor", base, {"tokenizer_class": name}, without=["post_processor"])
                case(f"{name} without added tokens", base, {"tokenizer_class": name}, without=["added_tokens"])
            if name in ("LlamaTokenizer", "GPT2Tokenizer", "PreTrainedTokenizerFast", "T5Tokenizer", "Qwen2Tokenizer"):
                for index, files in enumerate(OLDER_FILES):
                    extra = {"extra_special_tokens": ["<eod>"]} if index else {}
                    case(f"{name} older files {index}", base, {"tokenizer_class": name, "bos_token": "<s>", **extra}, files=files)
    for extra in CONFIGURATIONS["PreTrainedTokenizerFast"]:
        case(f"plain unigram {len(cases)}", "unigram", {"tokenizer_class": "PreTrainedTokenizerFast", **extra})
    for model_type in CHOICE_TYPES.split():
        for name in CHOICE_NAMES:
            case(f"{model_type} with {name}", "sentencepiece-bpe", {"tokenizer_class": name} if name else {}, {"model_type": model_type}, texts=False)
    case("class of config.json", "sentencepiece-bpe", {}, {"model_type": "llama", "tokenizer_class": "GemmaTokenizer"}, texts=False)
    case("bloom", "byte-level", {"tokenizer_class": "BloomTokenizerFast"}, {"model_type": "bloom"}, texts=False)
    save(FIXTURES / "tokenizer" / "classes.json.gz", cases)


def record_conversions():
    cases = []

    def case(name, files, tokenizer_config, config={"model_type": "llama"}):
        record = {"name": name, "files": files, "tokenizerConfig": tokenizer_config, "config": config}
        try:
            tokenizer = load({name: (VOCABULARIES / source).read_bytes() for name, source in files.items()}, tokenizer_config, config)
            record |= describe(tokenizer) | try_out(tokenizer)
            record["added"] = json.loads(tokenizer._tokenizer.to_str())["added_tokens"]
        except Exception as error:
            record["error"] = f"{type(error).__name__}: {error}"[:150]
        cases.append(record)

    plain = {"tokenizer_class": "PreTrainedTokenizerFast"}
    case("tekken", {"tekken.json": "tekken.json"}, None, {"model_type": "mistral"})
    case("tekken with a configuration", {"tekken.json": "tekken.json"}, {"tokenizer_class": "LlamaTokenizerFast", "bos_token": "<s>", "eos_token": "</s>", "add_bos_token": True}, {"model_type": "mistral"})
    case("tekken v3", {"tekken.json": "tekken-v3.json"}, {"bos_token": "<s>", "eos_token": "</s>"}, {"model_type": "mistral"})
    for model in ("unigram", "unigram-bytes", "bpe", "bpe-bytes"):
        files = {"tokenizer.model": f"{model}.model"}
        case(f"{model} plain", files, plain)
        case(f"{model} without a configuration", files, None)
        case(f"{model} plain with begin and end", files, {**plain, "add_bos_token": True, "add_eos_token": True})
    for model in ("unigram", "bpe", "bpe-bytes"):
        files = {"tokenizer.model": f"{model}.model"}
        case(f"{model} Llama", files, {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True, "legacy": True})
        case(f"{model} newer Llama", files, {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True, "add_eos_token": False, "legacy": False, "unk_token": token("<unk>")})
        case(f"{model} Gemma", files, {"tokenizer_class": "GemmaTokenizer", "add_bos_token": True, "bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "added_tokens_decoder": {"1": added("<s>"), "5": added("[INST]", False)}}, {"model_type": "gemma"})
        case(f"{model} Code Llama", files, {"tokenizer_class": "CodeLlamaTokenizer"})
    for name in ("DebertaV2Tokenizer", "XLNetTokenizer", "XGLMTokenizer"):
        case(f"unigram {name}", {"tokenizer.model": "unigram.model"}, {"tokenizer_class": name})
    size = len((VOCABULARIES / "tiktoken.model").read_text().split("\n")) - 1
    case("tiktoken", {"tiktoken.model": "tiktoken.model"}, {**plain, "bos_token": "<b>"})
    case("tiktoken with a list", {"tiktoken.model": "tiktoken.model"}, {**plain, "eos_token": "<e>", "added_tokens_decoder": {str(size + 1): added("<e>"), str(size + 4): added("<t>")}, "extra_special_tokens": ["<x>", "<e>"]})
    case("tiktoken by another name", {"tokenizer.model": "tiktoken.model"}, {**plain, "eos_token": "<e>", "extra_special_tokens": ["<x>"]})
    for name in ("GPT2Tokenizer", "Qwen2Tokenizer", "GPTNeoXTokenizer", "RobertaTokenizer", "CohereTokenizer"):
        begins = {"add_bos_token": True} if name == "GPT2Tokenizer" else {}
        case(f"vocab.json {name}", {"vocab.json": "vocab.json", "merges.txt": "merges.txt"}, {"tokenizer_class": name, **begins})
    case("vocab.txt", {"vocab.txt": "vocab.txt"}, {"tokenizer_class": "BertTokenizer"})
    save(FIXTURES / "tokenizer" / "conversions.json.gz", cases)


def record_mistral(tekken_file):
    from vllm.tokenizers.detokenizer_utils import convert_prompt_ids_to_tokens, detokenize_incrementally
    from vllm.tokenizers.mistral import MistralTokenizer

    def stream(tokenizer, ids):
        window, prefix, read = [], 0, 0
        for id in ids:
            new, text, prefix, read = detokenize_incrementally(tokenizer, [id], window, prefix, read, skip_special_tokens=True)
            window, read, prefix = (window + new)[prefix:], read - prefix, 0
            yield text

    def case(source, name, texts):
        random.seed(5)
        with tempfile.TemporaryDirectory() as directory:
            shutil.copy(source, Path(directory, name))
            tokenizer = MistralTokenizer.from_pretrained(directory)
        size = tokenizer.vocab_size
        encode = [[text, tokenizer.encode(text, add_special_tokens=False), tokenizer.encode(text)] for text in texts]
        sequences = [ids for _, plain, ids in encode if plain][:60]
        sequences += [[random.randrange(size) for _ in range(random.choice([1, 2, 5, 12]))] for _ in range(120)]
        sequences += [[random.choice([3, 4, 9, 1, 2, 5, size - 1, size // 2]) for _ in range(6)] for _ in range(20)]
        return {
            "source": Path(source).name, "file": name, "size": size, "eos": tokenizer.eos_token_id, "bos": tokenizer.bos_token_id,
            "encode": encode,
            "decode": [[ids, tokenizer.decode(ids), tokenizer.decode(ids, skip_special_tokens=True)] for ids in sequences],
            "incremental": [[ids, True, list(stream(tokenizer, ids))] for ids in sequences],
        }

    small = [case(VOCABULARIES / "tekken.json", "tekken.json", TEXTS), case(VOCABULARIES / "tekken-v3.json", "tekken.json", TEXTS)]
    sentencepiece = case(VOCABULARIES / "bpe-bytes.model", "tokenizer.model.v3", TEXTS)
    # Unlike Mistral's models, this one was trained to take extra spaces out and has symbols of its own: only decoding is alike.
    save(FIXTURES / "tokenizer" / "mistral.json.gz", [*small, {**sentencepiece, "encode": []}])
    if tekken_file:
        texts = json.loads(gzip.decompress((FIXTURES / "tokenizer" / "recorded" / "mistral_nemo.json.gz").read_bytes()))["encode"]
        save(FIXTURES / "tokenizer" / "mistral-tekken.json.gz", [case(tekken_file, "tekken.json", [*TEXTS, *(text for text, _, _ in texts)][:300])])


SIZES = {"hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2, "vocab_size": 1000}
SMALL = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2}
YARN = {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 8192}
LONG = {"type": "longrope", "short_factor": [1.0] * 8, "long_factor": [1.0] * 8}


def length_configs():
    llama = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], **SIZES}
    yield llama, None
    for extra in (
        {}, {"rope_scaling": {"type": "linear", "factor": 4.0}}, {"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}},
        {"rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}}, {"rope_scaling": LLAMA3, "max_position_embeddings": 131072},
        {"rope_parameters": {"rope_type": "linear", "factor": 2.5, "rope_theta": 10000.0}}, {"model_max_length": 16000}, {"max_sequence_length": 1000}, {"eos_token_id": [1, 2]},
    ):
        yield {**llama, "max_position_embeddings": 4096, **extra}, None
    yield {**llama, "max_sequence_length": 4096}, None
    yield {**llama, "eos_token_id": None}, None
    yield {**llama, "eos_token_id": 7}, {"eos_token_id": [7, 8], "temperature": 0.6}
    yield {**llama, "eos_token_id": 7}, {"temperature": 0.6}

    def of(model_type, architecture, sizes=SIZES, **extra):
        return {"model_type": model_type, "architectures": [architecture], **sizes, **extra}, None

    gpt2 = {"n_embd": 64, "n_layer": 2, "n_head": 4}
    yield of("gpt2", "GPT2LMHeadModel", gpt2)
    yield of("gpt2", "GPT2LMHeadModel", gpt2, n_positions=2048)
    yield of("mpt", "MPTForCausalLM", {"d_model": 64, "n_heads": 4, "n_layers": 2}, max_seq_len=4096)
    yield of("bloom", "BloomForCausalLM", {"hidden_size": 64, "n_head": 4, "n_layer": 2})
    yield of("bloom", "BloomForCausalLM", {"hidden_size": 64, "n_head": 4, "n_layer": 2}, seq_length=1234)
    yield of("qwen2", "Qwen2ForCausalLM", max_position_embeddings=32768, sliding_window=4096, use_sliding_window=False)
    yield of("qwen3", "Qwen3ForCausalLM", max_position_embeddings=40960, eos_token_id=151645)
    yield of("mistral", "MistralForCausalLM", max_position_embeddings=32768, sliding_window=4096)
    yield of("mistral", "MistralForCausalLM", max_position_embeddings=32768, sliding_window=0)
    yield of("gemma2", "Gemma2ForCausalLM", head_dim=16)
    yield of("gemma3_text", "Gemma3ForCausalLM", head_dim=16, max_position_embeddings=32768, rope_scaling={"rope_type": "linear", "factor": 8.0})
    inner = {"model_type": "gemma3_text", **SIZES, "head_dim": 16, "max_position_embeddings": 131072, "rope_scaling": {"rope_type": "linear", "factor": 8.0}}
    yield of("gemma3", "Gemma3ForConditionalGeneration", {}, text_config=inner, vision_config={"model_type": "siglip_vision_model"})
    yield of("phi3", "Phi3ForCausalLM", max_position_embeddings=131072, original_max_position_embeddings=4096, pad_token_id=0, rope_scaling=LONG)
    yield of("phi3", "Phi3ForCausalLM", max_position_embeddings=4096, original_max_position_embeddings=4096, pad_token_id=0)
    yield of("deepseek_v3", "DeepseekV3ForCausalLM", SMALL, max_position_embeddings=163840, rope_scaling=YARN)
    yield of("kimi_k2", "DeepseekV3ForCausalLM", SMALL, max_position_embeddings=131072, eos_token_id=163585, rope_scaling=YARN)
    yield of("cohere2", "Cohere2ForCausalLM", max_position_embeddings=8192, model_max_length=131072)
    yield of("cohere", "CohereForCausalLM")
    for extra in ({"max_position_embeddings": 4096}, {"eos_token_id": 5}):
        yield of("llava", "LlavaForConditionalGeneration", {}, text_config={"model_type": "llama", **SIZES, **extra}, vision_config={"model_type": "clip_vision_model"})
    yield of("qwen2_5_vl", "Qwen2_5_VLForConditionalGeneration", max_position_embeddings=128000, rope_scaling={"type": "mrope", "mrope_section": [2, 3, 3]})
    yield of("gpt_oss", "GptOssForCausalLM", max_position_embeddings=131072, eos_token_id=200002, rope_scaling={"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False})
    yield of("glm4_moe", "Glm4MoeForCausalLM", max_position_embeddings=131072, eos_token_id=[151329, 151336, 151338])
    for model_type, architecture in (("opt", "OPTForCausalLM"), ("falcon", "FalconForCausalLM"), ("olmo2", "Olmo2ForCausalLM"), ("stablelm", "StableLmForCausalLM"), ("mixtral", "MixtralForCausalLM")):
        yield of(model_type, architecture, SIZES if model_type not in ("opt", "falcon") else SMALL)
    yield of("mamba", "MambaForCausalLM", {"hidden_size": 64, "num_hidden_layers": 2})
    yield of("granite", "GraniteForCausalLM", max_position_embeddings=131072)
    yield of("gemma3n", "Gemma3nForConditionalGeneration", {}, text_config={"model_type": "gemma3n_text", **SMALL, "intermediate_size": 128})
    yield of("whisper", "WhisperForConditionalGeneration", {"d_model": 64, "encoder_layers": 2, "decoder_layers": 2})
    thinker = {"model_type": "qwen3_omni_moe_thinker", "text_config": {"model_type": "qwen3_omni_moe_text", **SIZES, "max_position_embeddings": 65536}}
    yield of("qwen3_omni_moe", "Qwen3OmniMoeForConditionalGeneration", {}, thinker_config=thinker)


def record_lengths():
    import vllm.config  # noqa: F401  (first, for its circular imports)
    from vllm.config.model import _get_and_verify_max_len
    from vllm.transformers_utils.config import get_config, get_hf_text_config, try_get_generation_config
    from vllm.transformers_utils.model_arch_config_convertor import MODEL_ARCH_CONFIG_CONVERTORS, ModelArchConfigConvertorBase

    cases = []
    for config, generation in length_configs():
        with tempfile.TemporaryDirectory() as directory:
            Path(directory, "config.json").write_text(json.dumps(config))
            if generation is not None:
                Path(directory, "generation_config.json").write_text(json.dumps(generation))
            loaded = get_config(directory, trust_remote_code=False)
            text = get_hf_text_config(loaded)
            convertor = MODEL_ARCH_CONFIG_CONVERTORS.get(loaded.model_type, ModelArchConfigConvertorBase)(loaded, text)
            length = _get_and_verify_max_len(
                hf_config=text, model_arch_config=SimpleNamespace(derived_max_model_len_and_key=convertor.derive_max_model_len_and_key()),
                tokenizer_config=None, max_model_len=None, disable_sliding_window=False, sliding_window=None,
            )
            used = try_get_generation_config(directory, trust_remote_code=False)
            end = (used.to_diff_dict() if used else {}).get("eos_token_id")
        cases.append({"config": config, "generationConfig": generation, "maxModelLen": length, "endTokens": [] if end is None else end if isinstance(end, list) else [end]})
    save(FIXTURES / "model" / "lengths.json.gz", cases)


if __name__ == "__main__":
    record_classes()
    record_conversions()
    record_lengths()
    record_mistral(sys.argv[1] if len(sys.argv) > 1 else None)
