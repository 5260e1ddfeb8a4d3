"""Records how vLLM renders chats for models whose prompts are written by code.

usage: python record-encoders.py [ENCODER...]      (in an environment with vllm 0.33.0, mistral-common, oss-harmony, cohere-melody)

Reads fixtures/render/encoders/conversations.json.gz: [{"id", "body": chat request without a model, "only"?: [encoder]}]
and responses.json.gz: [{"id", "body": Responses request}]; harmony-types.json.gz and json-schemas.json.gz hold schemas of their own.
Writes fixtures/render/encoders/ENCODER.json.gz: [{"id", "input": what the encoder gets, and one of
  "text": the prompt (special tokens by name), "tokenIds": [int], "pieces": [special token | [text]],
  "error": {"status", "type", "param"}}].
"""

import gzip
import json
import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

os.environ |= {"VLLM_TARGET_DEVICE": "cpu", "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1", "VLLM_LOGGING_LEVEL": "CRITICAL"}
os.environ["VLLM_SYSTEM_START_DATE"] = "2026-03-04"

import logging

logging.disable(logging.CRITICAL)

from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.entrypoints.serve.exception_handling.error_response import create_error_response
from vllm.renderers.chat_utils import parse_chat_messages

FIXTURES = Path(__file__).parent.parent / "fixtures" / "render" / "encoders"
MODEL = SimpleNamespace(
    multimodal_config=None, enable_prompt_embeds=False, is_multimodal_model=False, allowed_local_media_path="",
    allowed_media_domains=None, hf_config=SimpleNamespace(model_type="x"), max_model_len=100_000,
)


class Pieces:
    """A tokenizer that keeps the text: special tokens as names, text as one-element lists."""

    def encode(self, text, add_special_tokens=False, **_):
        return text

    def encode_text(self, text):
        return [[text]]

    def encode_special(self, token):
        return token


def params_of(request):
    params = request.build_chat_params(None, "auto", {})
    tools = None if request.tools is None else [tool.model_dump() for tool in request.tools]
    if tools is not None:
        params.chat_template_kwargs["tools"] = tools
    return params, tools


def conversation_of(request, content_format):
    return parse_chat_messages(request.messages, MODEL, content_format=content_format)[0]


def deepseek(module, content_format):
    def render(request):
        import importlib

        wrap = getattr(importlib.import_module(f"vllm.tokenizers.{module}"), f"get_{module}_tokenizer")
        tokenizer = wrap(type("T", (Pieces,), {"get_added_vocab": lambda self: {}})())
        params, _ = params_of(request)
        conversation = conversation_of(request, content_format)
        return {"text": tokenizer.apply_chat_template(conversation=conversation, messages=request.messages, **params.get_apply_chat_template_kwargs())}

    return render, content_format


def inkling():
    from vllm.renderers.inkling import InklingRenderer

    renderer = object.__new__(InklingRenderer)
    renderer._inkling_tokenizer = Pieces()

    def render(request):
        params, _ = params_of(request)
        conversation_of(request, "string")
        return {"pieces": renderer._render(request.messages, params)}

    return render, "string"


def harmony_prompt(ids):
    from vllm.entrypoints.openai.parser.harmony_utils import get_encoding

    pieces, text = [], []
    for id in ids:
        if not get_encoding().is_special_token(id):
            text.append(id)
            continue
        if text:
            pieces.append([get_encoding().decode(text)])
            text = []
        pieces.append(get_encoding().decode([id]))
    return {"pieces": pieces + [[get_encoding().decode(text)]], "tokenIds": ids}


def harmony():
    from vllm.renderers.online_renderer import OnlineRenderer

    renderer = object.__new__(OnlineRenderer)
    renderer.supports_browsing = renderer.supports_code_interpreter = False
    renderer.reasoning_effort_map = {}
    renderer.renderer = SimpleNamespace(tokenizer=None)

    def render(request):
        _, prompts = renderer._make_request_with_harmony(request, request.tools is not None)
        return harmony_prompt(prompts[0]["prompt_token_ids"])

    return render, "string"


def record_harmony_responses():
    from vllm.entrypoints.openai.responses.protocol import ResponsesRequest
    from vllm.renderers.online_renderer import OnlineRenderer

    renderer = object.__new__(OnlineRenderer)
    renderer.parser = None
    renderer.reasoning_effort_map = {}
    renderer.model_config = MODEL
    renderer.renderer = SimpleNamespace(tokenizer=None)
    cases = []
    for chat in json.loads(gzip.decompress((FIXTURES / "responses.json.gz").read_bytes())):
        try:
            request = ResponsesRequest.model_validate({"model": "m", **chat["body"]})
            case = {"id": chat["id"], "request": chat["body"]}
        except Exception as error:
            print("refused before rendering:", chat["id"], str(error)[:200])
            continue
        try:
            answer = renderer._render_responses_with_harmony(request, previous_messages=None, previous_response_outputs=None, tool_server=None)
            if hasattr(answer, "error"):
                case["error"] = {"status": answer.error.code, "type": answer.error.type, "param": answer.error.param}
            else:
                case |= harmony_prompt(answer.engine_input["prompt_token_ids"])
        except Exception as error:
            case["error"] = error_of(error)
        cases.append(case)
    save("harmony-responses", cases)


def record_harmony_types():
    from openai_harmony import Conversation, DeveloperContent, Message, Role, ToolDescription
    from vllm.entrypoints.openai.parser.harmony_utils import get_encoding

    cases = json.loads(gzip.decompress((FIXTURES / "harmony-types.json.gz").read_bytes()))
    for case in cases:
        developer = DeveloperContent.new().with_function_tools([ToolDescription.new("f", "", case["schema"])])
        message = Message.from_role_and_content(Role.DEVELOPER, developer)
        text = get_encoding().decode(get_encoding().render_conversation(Conversation.from_messages([message])))
        case["text"] = text[text.index("type f = (_: ") + len("type f = (_: ") : text.rindex(") => any;")]
    save("harmony-types", cases)


def record_json_schemas():
    import jsonschema

    cases = json.loads(gzip.decompress((FIXTURES / "json-schemas.json.gz").read_bytes()))
    for case in cases:
        try:
            jsonschema.Draft7Validator.check_schema(case["schema"])
            case["valid"] = True
        except jsonschema.exceptions.SchemaError:
            case["valid"] = False
    save("json-schemas", cases)


def cohere():
    import cohere_melody
    from vllm.renderers.cohere import _build_render_config

    def render(request):
        params, _ = params_of(request)
        fmt, config = _build_render_config(conversation_of(request, "openai"), dict(params.chat_template_kwargs), params.chat_template)
        return {"text": getattr(cohere_melody, f"render_{fmt}")(config)}

    return render, "openai"


MISTRAL_TOKENS = """<unk> <s> </s> [INST] [/INST] [AVAILABLE_TOOLS] [/AVAILABLE_TOOLS] [TOOL_RESULTS] [/TOOL_RESULTS] [TOOL_CALLS] <pad>
[PREFIX] [MIDDLE] [SUFFIX] [SYSTEM_PROMPT] [/SYSTEM_PROMPT] [TOOL_CONTENT]"""
MISTRAL_LATER = {11: "[ARGS] [CALL_ID]", 13: "[THINK] [/THINK]", 15: "[MODEL_SETTINGS] [/MODEL_SETTINGS]"}


def mistral(version, settings=None, without=()):
    """A tokenizer whose tokens are the special ones and the 256 bytes."""
    from vllm.tokenizers.mistral import MistralTokenizer, maybe_serialize_tool_calls, truncate_tool_call_ids, validate_request_params
    from vllm.renderers.mistral import safe_apply_chat_template
    import base64

    names = " ".join([MISTRAL_TOKENS, *(more for since, more in MISTRAL_LATER.items() if since <= version)]).split()
    names = [name for name in names if name not in without]
    data = {
        "vocab": [{"rank": i, "token_bytes": base64.b64encode(bytes([i])).decode(), "token_str": None} for i in range(256)],
        "special_tokens": [{"rank": i, "token_str": name, "is_control": True} for i, name in enumerate(names)],
        "config": {"pattern": r"[\s\S]", "num_vocab_tokens": 256, "default_vocab_size": 256 + len(names),
                   "default_num_special_tokens": len(names), "version": f"v{version}"},
        "version": 1, "type": "Tekken",
    } | ({"model_settings_builder": settings} if settings else {})
    directory = tempfile.mkdtemp()
    Path(directory, "tekken.json").write_text(json.dumps(data))
    tokenizer = MistralTokenizer.from_pretrained(directory)

    def pieces(ids):
        result, held = [], bytearray()
        for id in [*ids, None]:
            if id is not None and id >= len(names):
                held.append(id - len(names))
                continue
            if held:
                result.append([held.decode()])
                held = bytearray()
            if id is not None:
                result.append(names[id])
        return result

    def render(request):
        maybe_serialize_tool_calls(request)
        truncate_tool_call_ids(request)
        validate_request_params(request)
        params, _ = params_of(request)
        conversation_of(request, "string")
        return {"pieces": pieces(safe_apply_chat_template(tokenizer, request.messages, **params.get_apply_chat_template_kwargs()))}

    return render, "string"


EFFORT = {"reasoning_effort": {"type": "enum", "accepts_none": True, "default": "high", "values": ["none", "high"]}}
SCHEMA = {"json_schema": {"type": "json_schema", "accepts_none": False, "default": None}}
ENCODERS = {
    "deepseek_v32": lambda: deepseek("deepseek_v32", "string"),
    "deepseek_v4": lambda: deepseek("deepseek_v4", "openai"),
    "deepseek_v41": lambda: deepseek("deepseek_v41", "openai"),
    "inkling": inkling,
    "harmony": harmony,
    "cohere": cohere,
    **{f"mistral-v{version}": lambda version=version: mistral(version) for version in (1, 2, 3, 7, 11, 13)},
    "mistral-v13-no-think": lambda: mistral(13, without=("[THINK]", "[/THINK]")),
    "mistral-v15": lambda: mistral(15, EFFORT),
    "mistral-v15-schema": lambda: mistral(15, EFFORT | SCHEMA),
    "mistral-v15-no-settings": lambda: mistral(15),
}


def input_of(body, content_format):
    """What an encoder of ours gets for a request; see ChatEncoderInput."""
    request = ChatCompletionRequest.model_validate(body)
    messages = json.loads(json.dumps(request.messages))
    params, tools = params_of(request)
    params.chat_template_kwargs.pop("tools", None)
    choice = request.tool_choice if request.tools else None
    return {
        "messages": messages,
        "conversation": conversation_of(request, content_format),
        "tools": tools,
        "documents": request.documents,
        "templateKwargs": params.chat_template_kwargs,
        "addGenerationPrompt": request.add_generation_prompt,
        "continueFinalMessage": request.continue_final_message,
        "reasoningEffort": request.reasoning_effort,
        "toolChoice": choice.model_dump() if hasattr(choice, "model_dump") else choice,
        "responseFormat": body.get("response_format"),
        "requestChatTemplate": None,
        "requestTemplateKwargs": request.chat_template_kwargs,
    }


def record(name, conversations):
    render, content_format = ENCODERS[name]()
    family = name.split("-")[0]
    cases = []
    for conversation in conversations:
        if family not in conversation.get("only", [family]):
            continue
        body = {"model": "m", **conversation["body"]}
        try:
            case = {"id": conversation["id"], "input": input_of(body, content_format)}
        except Exception:
            continue  # refused before any encoder sees it
        try:
            case |= render(ChatCompletionRequest.model_validate(body))
        except BaseException as error:  # a panic of a Rust library is no Exception
            case["error"] = error_of(error)
        cases.append(case)
    save(name, cases)


def error_of(error):
    info = create_error_response(error).error
    return {"status": info.code, "type": info.type, "param": info.param}


def save(name, cases):
    with open(FIXTURES / f"{name}.json.gz", "wb") as file:
        file.write(gzip.compress(json.dumps(cases, ensure_ascii=False).encode(), mtime=0))
    errors = [case["error"] for case in cases if "error" in case]
    print(f"{name}: {len(cases)} cases, {len(errors)} errors, {sum(error['status'] >= 500 for error in errors)} of status 500")


OTHERS = {"harmony-responses": record_harmony_responses, "harmony-types": record_harmony_types, "json-schemas": record_json_schemas}

if __name__ == "__main__":
    chats = json.loads(gzip.decompress((FIXTURES / "conversations.json.gz").read_bytes()))
    for chosen in sys.argv[1:] or [*ENCODERS, *OTHERS]:
        if chosen in OTHERS:
            OTHERS[chosen]()
        else:
            record(chosen, chats)
