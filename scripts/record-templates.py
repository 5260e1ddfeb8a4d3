"""Records what Python makes of templates: jinja2 in the environment that transformers gives chat templates.

    python scripts/record-templates.py record FILE...             answers the cases of FILE again, in place
    python scripts/record-templates.py random FILE COUNT SEED     writes COUNT random templates with their answers
    python scripts/record-templates.py expressions FILE COUNT SEED

Needs `transformers` and `jinja2`. A file holds {"variables", "cases": [{"template", "variables"?, "text" or "error"}]}; the clock of `strftime_now` stands at "now".
"""

import datetime
import json
import os
import re
import resource
import signal
import sys
import warnings

import transformers.utils.chat_template_utils as chat_templates
from random_templates import VARIABLES, random_expression, random_template

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


if __name__ == "__main__":
    command, path, *rest = sys.argv[1:]
    if command == "record":
        for name in (path, *rest):
            record(name)
    else:
        generate(path, int(rest[0]), int(rest[1]), random_template if command == "random" else random_expression)
