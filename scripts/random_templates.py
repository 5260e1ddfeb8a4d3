"""Random templates from a grammar that covers the template language: used by record-templates.py.

Expressions are chosen by the type that is wanted, so that most of them work; one in twelve is of any type, and mostly raises.
"""

import random

TEXTS = ["", "a", "abc", "Hello World", "  pad  ", "a,b,c", "x-y z", "É😀ß", "line1\nline2\r\nline3", "it's", 'say "hi"', "%s and %d", "<b>&</b>", "12", "-7", "3.5", "0x1f", "\t\x0b", "Ünï cödé", "ΑΣ", "a.b.c", "http://x.org/a?b=c", "\u2028", "ﬁ", "AbC dEf", "one two  three"]
INTS = ["0", "1", "2", "3", "7", "10", "-4", "255", "1000", "123456789", "9007199254740993", "10000000000000000000000"]
FLOATS = ["1.0", "2.5", "0.1", "1e16", "1e-5", "1e22", "3.14159", "1234567.891", "0.5", "-100.0", "2e-7"]

VARIABLES = {
    "s": "Hello World", "t": " é😀 a-b ", "n": 7, "f": 2.5, "l": [3, 1, 2, 1], "ll": [["a", 1], ["b", 2], ["C", 3]], "d": {"b": 1, "a": "x", "10": None, "2": [1.0]},
    "dd": [{"name": "Ann", "age": 30, "tags": ["x"]}, {"name": "bob", "age": 25, "tags": []}, {"name": "Cy", "age": 30}], "e": [], "none_value": None, "flag": True,
    "words": ["b", "A", "c", "a", "B"], "big": 12345678901234567890123,
    "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f", "arguments": {"x": 1.5, "y": "z"}}}]}],
}

NAMES = {"text": ["s", "t", "words[0]", "dd[0].name", "messages[0]['role']"], "number": ["n", "f", "l[1]", "dd[1].age", "big", "l|length"], "list": ["l", "ll", "dd", "words", "e", "messages"], "dict": ["d", "dd[2]", "messages[1]"], "bool": ["flag", "e", "n"]}
ANY = ["missing", "none_value", "d.zz", "messages[1].content", "dd[9]"]

# Each row: what goes in, the form around it, what comes out.
FORMS = [
    ("text", "{0}|upper", "text"), ("text", "{0}|lower", "text"), ("text", "{0}|title", "text"), ("text", "{0}|capitalize", "text"), ("text", "{0}|trim", "text"), ("text", "{0}|trim('ab ')", "text"),
    ("text", "{0}|replace('a', 'b')", "text"), ("text", "{0}|replace('l', '', 1)", "text"), ("text", "{0}|center(15)", "text"), ("text", "{0}|indent", "text"), ("text", "{0}|indent(2, true)", "text"), ("text", "{0}|indent(width='>', blank=true)", "text"),
    ("text", "{0}|truncate(6)", "text"), ("text", "{0}|truncate(5, true, '…', 0)", "text"), ("text", "{0}|wordwrap(4)", "text"), ("text", "{0}|wordwrap(7, false)", "text"), ("text", "{0}|wordwrap(5, wrapstring='/')", "text"), ("any", "{0}|escape", "text"), ("any", "{0}|string", "text"), ("any", "{0}|forceescape", "text"), ("text", "{0}|safe", "text"),
    ("text", "{0}|striptags", "text"), ("text", "{0}|urlencode", "text"), ("dict", "{0}|urlencode", "text"), ("text", "{0}|urlize", "text"), ("text", "{0}|urlize(8, true, target='_blank')", "text"), ("text", "{0}|reverse", "text"), ("text", "{0}|wordcount", "number"), ("text", "{0}|length", "number"), ("text", "{0}|list", "list"), ("text", "{0}|first", "any"), ("text", "{0}|last", "any"), ("text", "{0}|pprint", "text"),
    ("any", "{0}|tojson", "text"), ("any", "{0}|tojson(indent=2)", "text"), ("any", "{0}|tojson(ensure_ascii=true, separators=(',', ':'))", "text"), ("dict", "{0}|tojson(sort_keys=true)", "text"), ("list", "{0}|pprint", "text"), ("any", "{0}|default('z')", "any"), ("any", "{0}|default('z', true)", "any"), ("any", "{0}|d({1})", "any"),
    ("any", "{0}|int", "number"), ("text", "{0}|int(5)", "number"), ("text", "{0}|int(base=16)", "number"), ("any", "{0}|float", "number"), ("text", "{0}|float(1.5)", "number"), ("number", "{0}|abs", "number"), ("number", "{0}|round", "number"), ("number", "{0}|round(1)", "number"), ("number", "{0}|round(1, 'ceil')", "number"), ("number", "{0}|round(0, 'floor')", "number"), ("number", "{0}|round(-1)", "number"), ("number", "{0}|filesizeformat", "text"), ("number", "{0}|filesizeformat(true)", "text"),
    ("list", "{0}|length", "number"), ("list", "{0}|first", "any"), ("list", "{0}|last", "any"), ("list", "{0}|join", "text"), ("list", "{0}|join(', ')", "text"), ("list", "{0}|reverse|list", "list"), ("list", "{0}|batch(2)|list", "list"), ("list", "{0}|batch(2, 'f')|list", "list"), ("list", "{0}|slice(2)|list", "list"), ("list", "{0}|slice(2, 0)|list", "list"), ("list", "{0}|map('string')|list", "list"), ("list", "{0}|map('tojson')|join(';')", "text"), ("list", "{0}|select|list", "list"), ("list", "{0}|reject('none')|list", "list"), ("list", "{0}|select('string')|list", "list"), ("list", "{0}|list", "list"),
    ("list", "{0}[0]", "any"), ("list", "{0}[-1]", "any"), ("list", "{0}[7]", "any"), ("text", "{0}[0]", "any"),
    # Not of any operand: jinja folds constants, and then slices what cannot be sliced.
    *[("none", name + part, kind) for kind, names in (("list", ("l", "words", "dd", "ll")), ("text", ("s", "t", "dd[0].name", "words[1]"))) for name in names for part in ("[1:]", "[:-1]", "[::-1]", "[::2]", "[1:3]", "[-2:]", "[-9:n]")],
    ("none", "l|sort", "list"), ("none", "l|sort(reverse=true)", "list"), ("none", "words|sort", "list"), ("none", "words|sort(case_sensitive=true)", "list"), ("none", "words|unique|list", "list"), ("none", "words|max", "text"), ("none", "words|min(case_sensitive=true)", "text"), ("none", "l|sum", "number"), ("none", "l|sum(start=1)", "number"), ("none", "l|unique|list", "list"), ("none", "l|select('odd')|list", "list"), ("none", "l|map('float')|sum", "number"),
    ("none", "dd|map(attribute='name')|list", "list"), ("none", "dd|map(attribute='tags', default=0)|list", "list"), ("none", "dd|map(attribute='tags.0')|list", "list"), ("none", "dd|selectattr('tags')|list", "list"), ("none", "dd|selectattr('age', 'gt', 26)|map(attribute='name')|list", "list"), ("none", "dd|rejectattr('tags')|list|length", "number"), ("none", "messages|selectattr('role', 'equalto', 'user')|list", "list"), ("none", "messages|selectattr('tool_calls', 'undefined')|list", "list"), ("none", "dd|groupby('age')", "list"), ("none", "dd|groupby('age')|map(attribute='grouper')|list", "list"), ("none", "dd|groupby('tags', default='q')|map('last')|list", "any"), ("none", "dd|sort(attribute='age')", "list"), ("none", "dd|sort(attribute='age,name', case_sensitive=true)|map(attribute='name')|list", "list"), ("none", "dd|sum(attribute='age')", "number"), ("none", "dd|max(attribute='age')", "dict"), ("none", "dd|join('|', attribute='name')", "text"), ("none", "ll|map('first')|list", "list"), ("none", "ll|sum(attribute=1)", "number"), ("none", "words|map('upper')|join('-')", "text"), ("none", "words|map('replace', 'a', 'b')|list", "list"),
    ("dict", "{0}|dictsort", "list"), ("none", "d|dictsort(true, 'key', true)", "list"), ("dict", "{0}|items|list", "list"), ("dict", "{0}|length", "number"), ("dict", "{0}|list", "list"), ("dict", "{0}|xmlattr", "text"), ("dict", "{0}.items()|list", "list"), ("dict", "{0}.keys()", "any"), ("dict", "{0}.values()|list", "list"), ("dict", "{0}.get('a')", "any"), ("dict", "{0}.get('zz', 3)", "any"), ("dict", "{0}['name']", "any"), ("dict", "{0}.role", "any"), ("dict", "{0}.copy()", "dict"), ("dict", "dict({0}, zz=1)", "dict"), ("any", "{{'k': {0}, 1: {1}, none: 2.0}}", "dict"), ("any", "{{'1': {0}, 1.0: 'x', true: {1}}}", "dict"), ("any", "[{0}, {1}]", "list"), ("any", "({0}, {1})", "list"), ("any", "({0},)", "list"),
    *[("text", "{0}." + call, "text") for call in ["upper()", "lower()", "title()", "capitalize()", "swapcase()", "casefold()", "strip()", "strip('Hd ')", "lstrip()", "rstrip('dl')", "replace('l', 'L')", "replace('', '.')", "replace('l', 'L', 1)", "zfill(14)", "center(15, '*')", "ljust(14)~'|'", "rjust(14, '.')", "expandtabs(4)", "removeprefix('He')", "removesuffix('ld')", "join(['x', 'y'])", "join('ab')", "translate({{97: 'A', 108: none}})"]],
    *[("text", "{0}." + call, "list") for call in ["split()", "split(',')", "split(' ', 1)", "rsplit('-', 1)", "rsplit(none, 1)", "splitlines()", "splitlines(true)", "partition('-')", "rpartition('l')"]],
    *[("text", "{0}." + call, "number") for call in ["find('l')", "rfind('l')", "count('l')", "count('')", "find('l', -3)", "find('o', 2, 6)"]],
    *[("text", "{0}." + call, "bool") for call in ["startswith('H')", "startswith(('a', 'H'))", "endswith('d')", "startswith('l', 2)", "isdigit()", "isalpha()", "isalnum()", "isspace()", "islower()", "isupper()", "istitle()", "isnumeric()", "isdecimal()", "isidentifier()", "isprintable()", "isascii()"]],
    ("list", "{0}.count(1)", "number"), ("none", "l.index(1)", "number"), ("list", "{0}.copy()", "list"), ("number", "{0}.real", "number"), ("none", "n.bit_length()", "number"), ("none", "f.is_integer()", "bool"), ("text", "{0}.encode().decode()", "text"), ("text", "{0}.__class__", "any"), ("list", "{0}.append", "any"),
    ("number", "({0} + {1})", "number"), ("number", "({0} - {1})", "number"), ("number", "({0} * {1})", "number"), ("number", "({0} / ({1} or 3))", "number"), ("number", "({0} // ({1} or 3))", "number"), ("number", "({0} % ({1} or 5))", "number"), ("none", "(n ** 3)", "number"), ("none", "(2 ** -n)", "number"), ("none", "(f ** 2)", "number"), ("number", "(-{0})", "number"), ("text", "({0} + {1})", "text"), ("text", "({0} * 2)", "text"), ("list", "({0} * 2)", "list"), ("any", "({0} ~ {1})", "text"), ("any", "({0} ~ {1} ~ 'x')", "text"),
    ("any", "({0} == {1})", "bool"), ("any", "({0} != {1})", "bool"), ("number", "({0} < {1})", "bool"), ("number", "(1 <= {0} < {1})", "bool"), ("text", "({0} > {1})", "bool"), ("text", "({0} in {1})", "bool"), ("any", "({0} in l)", "bool"), ("any", "({0} not in words)", "bool"), ("text", "({0} in d)", "bool"), ("any", "({0} and {1})", "any"), ("any", "({0} or {1})", "any"), ("any", "(not {0})", "bool"), ("bool", "('y' if {0} else 'n')", "text"), ("bool", "({1} if {0})", "any"), ("bool", "(1 if {0} else 2.5)", "number"),
    *[("any", "({0} is " + test + ")", "bool") for test in ["defined", "undefined", "none", "boolean", "true", "false", "integer", "float", "number", "string", "mapping", "iterable", "sequence", "callable", "lower", "upper", "in [1, 'a', none]", "eq 1", "ne none", "not none", "not defined", "sameas none", "escaped"]], ("number", "({0} is odd)", "bool"), ("number", "({0} is divisibleby(2))", "bool"), ("number", "({0} is divisibleby 3)", "bool"), ("number", "({0} is gt 1)", "bool"), ("number", "({0} is le(2))", "bool"), ("text", "({0} is in('abc'))", "bool"), ("text", "({0} is filter)", "bool"),
    ("any", "('%s' % ({0},))", "text"), ("any", "('%r|%s' % ({0}, {1}))", "text"), ("text", "('%5s|%-5s|' % ({0}, {1}))", "text"), ("number", "('%d' % {0})", "text"), ("number", "('%05.1f' % {0})", "text"), ("none", "('%x %o %#X' % (n, 255, big))", "text"), ("number", "('%e' % {0})", "text"), ("number", "('%g' % {0})", "text"), ("number", "('%+d' % {0})", "text"), ("any", "('%(a)s' % {{'a': {0}}})", "text"), ("any", "('%a' % ({0},))", "text"), ("text", "('%.3s' % {0})", "text"), ("any", "('%s-%s'|format({0}, {1}))", "text"),
    ("any", "('{{}}'.format({0}))", "text"), ("text", "('{{:>8}}'.format({0}))", "text"), ("number", "('{{:08.2f}}'.format({0}))", "text"), ("number", "('{{:,}}'.format({0}))", "text"), ("any", "('{{0!r:>12}}'.format({0}))", "text"), ("list", "('{{a[0]}}'.format(a={0}))", "text"), ("text", "('{{:^9}}|{{:<4}}'.format({0}, {1}))", "text"), ("number", "('{{:+.3e}}'.format({0}))", "text"), ("number", "('{{:%}}'.format({0}))", "text"), ("number", "('{{:g}}'.format({0}))", "text"), ("number", "('{{:.3}}'.format(0.5 + {0}))", "text"), ("none", "('{{:#b}} {{:_}} {{:x}}'.format(n, big, 255))", "text"), ("number", "('{{:=+9}}'.format({0}))", "text"), ("number", "('{{:{{}}}}'.format({0}, 12))", "text"), ("number", "('{{:012,.1f}}'.format({0}))", "text"),
    ("none", "range(4)|list", "list"), ("none", "range(1, 9, 3)", "any"), ("none", "namespace(x=n).x", "any"), ("none", "cycler(1, 2).next()", "number"), ("none", "joiner()()", "text"), ("none", "range(5)[1:]", "any"), ("none", "dict(ll)", "dict"), ("none", "range(n)|sum", "number"), ("none", "(d.keys() - dd[0].keys())|sort", "list"), ("none", "dict(a=1).items()", "any"),
]

BY_RESULT = {}
for row in FORMS:
    BY_RESULT.setdefault(row[2], []).append(row)


class Grammar:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.depth = 0
        self.names = []
        self.loops = 0

    def pick(self, *options):
        return self.r.choice(options)

    def leaf(self, kind):
        if kind == "text":
            return self.pick(quoted(self.r.choice(TEXTS)), self.r.choice(NAMES["text"]))
        if kind == "number":
            return self.pick(self.r.choice(INTS), self.r.choice(FLOATS), self.r.choice(NAMES["number"]))
        if kind == "list":
            return self.pick(self.r.choice(NAMES["list"]), "[" + ", ".join(self.leaf(self.pick("text", "number", "bool")) for _ in range(self.r.randrange(3))) + "]")
        if kind == "dict":
            return self.r.choice(NAMES["dict"])
        if kind == "bool":
            return self.pick("true", "false", *NAMES["bool"])
        if self.names and self.r.random() < 0.4:
            return self.r.choice(self.names)
        return self.pick(self.r.choice(ANY), "none", "true", self.leaf("text"), self.leaf("number"), self.leaf("list"), self.leaf("dict"))

    def expression(self, kind="any"):
        """An expression that stands alone or in brackets."""
        if self.depth > 3 or self.r.random() < 0.25:
            return self.leaf(kind)
        self.depth += 1
        if self.r.random() < 1 / 12:
            kind = "any"
        rows = BY_RESULT[kind] if kind != "any" or self.r.random() < 0.3 else FORMS
        wanted, form, _ = self.r.choice(rows)
        made = form.format(self.operand(wanted), self.operand(wanted)) if wanted != "none" else form.format()
        self.depth -= 1
        return made

    def operand(self, kind):
        if kind == "none":
            return ""
        made = self.expression(kind)
        return made if made[0] not in "-(0123456789" and not any(c in made for c in " |~") else f"({made})"

    def tag(self, text):
        left, right = self.pick("", "", "", "-", "+"), self.pick("", "", "", "-")
        return "{%" + left + " " + text + " " + right + "%}"

    def output(self):
        left, right = self.pick("", "", "", "-"), self.pick("", "", "", "-")
        return "{{" + left + " " + self.expression() + " " + right + "}}"

    def text(self):
        return self.pick(" ", "\n", "x", "  \n  ", "a b\n", "{# c #}", "{#- c -#}\n", "\n\n", ";", "", "\t")

    def block(self, depth):
        return "".join(self.statement(depth) for _ in range(self.r.randrange(1, 4)))

    def statement(self, depth):
        if depth <= 0:
            return self.text() + self.output()
        kind = self.r.randrange(20)
        if kind < 5:
            return self.output() + self.text()
        if kind < 7:
            return self.text()
        if kind < 9:
            tail = self.pick("", self.tag("else") + self.block(depth - 1), self.tag(f"elif {self.expression('bool')}") + self.block(depth - 1))
            return self.tag(f"if {self.expression('bool')}") + self.block(depth - 1) + tail + self.tag("endif")
        if kind < 13:
            return self.loop(depth)
        if kind < 15:
            return self.assignment(depth)
        if kind < 16:
            out = self.tag(f"with w = {self.expression()}, v = {self.expression()}") + "{{ w }}"
            self.names += ["w", "v"]
            out += self.block(depth - 1)
            del self.names[-2:]
            return out + self.tag("endwith")
        if kind < 17:
            return self.tag(f"filter {self.pick('upper', 'replace(' + quoted('a') + ', ' + quoted('b') + ')', 'trim', 'title', 'indent(2)|upper', 'wordwrap(9)')}") + self.block(depth - 1) + self.tag("endfilter")
        if kind < 18:
            return self.macro(depth)
        if kind < 19:
            return self.pick(self.tag("raw") + "{{ raw }} {% x %}" + self.tag("endraw"), self.tag("generation") + self.block(depth - 1) + self.tag("endgeneration"), self.tag(f"print {self.expression()}"), self.tag(f"autoescape {self.pick('true', 'false', 'flag')}") + self.block(depth - 1) + self.tag("endautoescape"))
        if self.loops and self.r.random() < 0.6:
            return self.tag(self.pick("break", "continue"))
        return self.tag("block b" + str(self.r.randrange(10**6)) + self.pick("", " scoped")) + self.block(depth - 1) + self.tag("endblock")

    def loop(self, depth):
        names, items = self.pick(("x", self.pick("l", "dd", "s", "d", "range(3)", "messages", "missing", "e", "l|map('string')", self.expression("list"))), ("k, v", self.pick("d.items()", "ll", "d|dictsort", "d|items")))
        test = self.pick("", "", f" if {self.expression('bool')}", f" if {names[0]} != {self.leaf('any')}")
        self.names += names.split(", ")
        self.loops += 1
        extra = self.pick("", "", "{{ loop.index }}", "{{ loop.last }}{{ loop.first }}", "{{ loop.length }}-{{ loop.revindex0 }}", "{{ loop.previtem }}{{ loop.nextitem }}", "{{ loop.cycle('o', 'e') }}", f"{{{{ loop.changed({names[0]}) }}}}", "{% if loop.index > 1 %}{% break %}{% endif %}", "{% if loop.first %}{% continue %}{% endif %}", "{% set n = loop.index0 %}{{ n }}")
        body = extra + self.block(depth - 1)
        self.loops -= 1
        del self.names[-len(names.split(", ")) :]
        tail = self.pick("", "", self.tag("else") + self.block(depth - 1))
        return self.tag(f"for {names} in {items}{test}") + body + tail + self.tag("endfor")

    def assignment(self, depth):
        name = self.pick("s", "n", "u", "w")
        kind = {"s": "text", "n": "number"}.get(name, "any")
        value = self.expression(kind)
        options = [self.tag(f"set {name} = {value}"), self.tag(f"set {name}, z = {value}, {self.expression()}"), self.tag(f"set ns = namespace({name}={value})") + self.tag(f"set ns.{name} = {self.expression()}") + "{{ ns." + name + " }}"]
        if kind != "number":
            options += [self.tag(f"set {name}") + self.block(depth - 1) + self.tag("endset"), self.tag(f"set {name}|upper|trim") + self.block(depth - 1) + self.tag("endset")]
        if kind == "any":
            self.names.append(name)
        return self.r.choice(options)

    def macro(self, depth):
        self.names += ["p", "q"]
        loops, self.loops = self.loops, 0
        body = self.block(depth - 1) + self.pick("", "{{ varargs }}{{ kwargs }}", "{{ caller() if caller is defined }}")
        self.loops = loops
        del self.names[-2:]
        call = self.pick("{{ m(1) }}", f"{{{{ m({self.expression()}, q={self.expression()}) }}}}", "{{ m() }}", "{% call m('c') %}body{% endcall %}", "{{ m(1, 2, 3) }}", "{{ m(q=1, r=2) }}", "{{ m('a')|upper }}")
        return self.tag(f"macro m(p, q={self.expression()})") + body + self.tag("endmacro") + call


def quoted(text):
    quote = "'" if "'" not in text else '"'
    return quote + text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t").replace(quote, "\\" + quote) + quote


def random_template(seed):
    grammar = Grammar(seed)
    return "".join(grammar.statement(2) for _ in range(grammar.r.randrange(1, 4)))


def random_expression(seed):
    return "{{ " + Grammar(seed).expression() + " }}"


def random_value(r, depth=0):
    """A value as JSON can hold it."""
    kind = r.randrange(10 if depth < 3 else 7)
    if kind == 0:
        return r.choice([None, True, False])
    if kind == 1:
        return r.choice([0, -1, r.randrange(-1000, 1000), r.randrange(-(2**53), 2**53), r.randrange(-(10**30), 10**30), 2**53, 2**53 + 1, -(2**63)])
    if kind == 2:
        return random_float(r)
    if kind < 7:
        return random_text(r)
    if kind < 9:
        return [random_value(r, depth + 1) for _ in range(r.randrange(5))]
    return {r.choice([random_text(r), str(r.randrange(20)), r.choice("abc")]): random_value(r, depth + 1) for _ in range(r.randrange(5))}


def random_float(r):
    kind = r.randrange(5)
    if kind == 0:
        return float(r.randrange(-1000, 1000))
    if kind == 1:
        return r.randrange(-100000, 100000) / r.choice([2, 4, 8, 10, 100, 1000])
    if kind == 2:
        return r.uniform(-1, 1) * 10.0 ** r.randrange(-20, 25)
    if kind == 3:
        return r.choice([0.0, -0.0, 1e16, 1e15, 9999999999999998.0, 1e-4, 1e-5, 5e-324, 1.7976931348623157e308, 0.1, 2.5, 0.5, 1.5, 1e22, 1e23, 123456789012345680.0])
    return r.random()


def random_text(r):
    pieces = ["a", "Hello", " ", "\n", "'", '"', "\\", "é", "😀", "\t", "\x00", "\x7f", "\u2028", "\u200b", "\ufeff", "ß", "中文", "</s>", "{{", "\x85", "\xad", "\U0001fae8", "\U000e0001", "1.0", "\xa0", "word ", "line\n"]
    return "".join(r.choice(pieces) for _ in range(r.choice([0, 1, 2, 3, 5, 8, 25])))
