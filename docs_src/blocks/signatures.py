"""One public name in full: its fields, its methods, and what each takes."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, get_args, get_type_hints

import attrs

import rove_core
from docs_src.blocks.markdown import body, code, first_line, prose, table
from rove_core.clock import SYSTEM
from rove_core.wire.parameters import described

#: How Python spells out the alias.
_JSON: Final = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
_FACTORY: Final[type] = type(attrs.Factory(list))
_EMPTY: Final[Mapping[object, str]] = {dict: "`{}`", list: "`[]`", set: "`set()`"}


def entry(name: str, thing: object) -> str:
    """Return everything a caller needs to know of a class or a function, as Markdown."""
    if not isinstance(thing, type):
        return _function_entry(name, thing) if callable(thing) else ""
    parts = [_constructor(name, thing), _fields(thing), _methods(name, thing)]
    if issubclass(thing, Exception) and not any(parts[:2]):
        return ""
    return "\n\n".join(filter(None, [_introduction(thing), *parts])) if any(parts) else ""


def fields_table(thing: type[attrs.AttrsInstance]) -> str:
    """Return the fields of an attrs class: names and types, defaults and meaning."""
    return next(_attrs_fields(thing))


def _function_entry(name: str, function: Callable[..., object]) -> str:
    return f"```text\n{_signature(name, function)}\n```\n\n{_words(function.__doc__ or '')}".strip()


def _words(doc: str) -> str:
    """Return a docstring with its arguments and its errors as lists."""
    raised = [
        f"- Raises `{name}`: {prose(text)}" for name, text in described(doc, "Raises").items()
    ]
    arguments = bool(described(doc, "Args"))
    between = "\n" if arguments else "\n\n"
    return between.join(filter(None, [body(doc), "\n".join(raised)]))


def _introduction(thing: type) -> str:
    text = body(re.split(r"\n +Args:\n", thing.__doc__ or "")[0])
    return re.sub(r"(?m)^::\n", "", text)


def _constructor(name: str, thing: type) -> str:
    """Return how to make an instance of a class that declares no fields."""
    own = vars(thing).get("__init__")
    if attrs.has(thing) or not inspect.isfunction(own) or getattr(thing, "_is_protocol", False):
        return ""
    taken = ", ".join(_parameters(_taken(own)))
    doc = own.__doc__ or thing.__doc__ or ""
    lines = [f"- `{each}`: {prose(words)}" for each, words in described(doc, "Args").items()]
    return "\n\n".join(filter(None, [f"```text\n{name}({taken})\n```", "\n".join(lines)]))


def _fields(thing: type) -> str:
    if attrs.has(thing):
        return "\n\n".join(filter(None, _attrs_fields(thing)))
    meanings = _described(thing)
    types = get_type_hints(thing)
    options = hasattr(thing, "__total__")
    rows = [
        [
            f"`{name}: {_type(types[name])}`" if name in types else f"`.{name}`",
            *(["may be left out"] if options else []),
            prose(words),
        ]
        for name, words in meanings.items()
    ]
    head = ["Key", "Default", "Meaning"] if options else ["Attribute", "Meaning"]
    return table(head, rows) if rows else ""


def _described(thing: type) -> Mapping[str, str]:
    """Return what a class and its bases say of their attributes."""
    meanings: dict[str, str] = {}
    bases = [base for base in getattr(thing, "__orig_bases__", ()) if isinstance(base, type)]
    for base in reversed([*thing.__mro__, *bases]):
        meanings |= described(base.__doc__ or "", "Attributes")
    return meanings


def _attrs_fields(thing: type[attrs.AttrsInstance]) -> Iterator[str]:
    meanings = _described(thing)
    shown = [each for each in attrs.fields(thing) if not each.name.startswith("_")]
    fields = [each for each in shown if each.init]
    keywords = [each.name for each in fields if each.kw_only]
    if shown:
        yield table(
            ["Field", "Default", "Meaning"],
            [
                [
                    f"`{each.name}: {_type(each.type)}`",
                    _field_default(each),
                    prose(meanings.get(each.name, "")),
                ]
                for each in shown
            ],
        )
    if keywords and len(keywords) == len(fields):
        yield "All fields are keyword-only."
    elif keywords:
        yield f"Keyword-only: {', '.join(map(code, keywords))}. The others also go by position."
    elif fields:
        yield "The fields also go by position, in this order."


def _field_default(field: "attrs.Attribute[Any]") -> str:
    if not field.init:
        return "not an argument"
    if field.default is attrs.NOTHING:
        return "required"
    if not isinstance(field.default, _FACTORY):
        return code(_default(field.default)).replace("`...`", "a function")
    made: Any = field.default
    if made.takes_self:
        return "from the other fields"
    return _EMPTY.get(made.factory, f"`{made.factory.__name__}()`")


def _methods(name: str, thing: type) -> str:
    lines = []
    for word in dir(thing):
        if word.startswith(("_", "test_")):
            continue
        member = inspect.getattr_static(thing, word)
        function = getattr(member, "__func__", member)
        if isinstance(member, property) and member.fget:
            gives = _type(inspect.signature(member.fget).return_annotation)
            lines.append(f"- `{word}: {gives}` (property): {first_line(member.fget)}")
        elif inspect.isfunction(function):
            on = f"{name}." if function is not member else ""
            lines.append(_method(_signature(f"{on}{word}", function), function.__doc__ or ""))
    return "\n".join(["Methods and properties:\n", *lines]) if lines else ""


def _method(signature: str, doc: str) -> str:
    text = re.split(r"\n\s*(?:Args|Attributes|Raises|Returns|Yields):\n", inspect.cleandoc(doc))[0]
    lines = [f"- `{signature}`: {' '.join(prose(text).split())}"]
    lines += [f"    - `{name}`: {prose(words)}" for name, words in described(doc, "Args").items()]
    raised = described(doc, "Raises").items()
    return "\n".join(
        [*lines, *(f"    - Raises `{name}`: {prose(words)}" for name, words in raised)]
    )


def _signature(name: str, function: Callable[..., object]) -> str:
    inner = inspect.unwrap(function)
    begin = "async def" if inspect.iscoroutinefunction(inner) else "def"
    returns = _type(inspect.signature(function).return_annotation)
    if inspect.isasyncgenfunction(inner) and inner is not function:
        returns = returns.replace("AsyncIterator[", "AbstractAsyncContextManager[")
    elif inspect.isgeneratorfunction(inner) and inner is not function:
        returns = returns.replace("Iterator[", "AbstractContextManager[")
    return f"{begin} {name}({', '.join(_parameters(_taken(function)))}) -> {returns}"


def _taken(function: Callable[..., object]) -> list[inspect.Parameter]:
    parameters = inspect.signature(function).parameters.values()
    return [each for each in parameters if each.name not in {"self", "cls"}]


def _parameters(taken: Sequence[inspect.Parameter]) -> Iterator[str]:
    keywords = False
    for each in taken:
        if each.kind is each.KEYWORD_ONLY and not keywords:
            keywords = True
            yield "*"
        stars = "*" if each.kind is each.VAR_POSITIONAL else ""
        stars = "**" if each.kind is each.VAR_KEYWORD else stars
        default = "" if each.default is each.empty else f" = {_default(each.default)}"
        yield f"{stars}{each.name}: {_type(each.annotation)}{default}"


def _default(value: object) -> str:
    """Return a default as one writes it: a public name where it has one."""
    plain = str | bytes | int | float | datetime
    if value is None or isinstance(value, plain) or value == ():
        return repr(value)
    if isinstance(value, Mapping) and not value:
        return "{}"
    if isinstance(value, type):
        return value.__name__
    names = [name for name in rove_core.__all__ if getattr(rove_core, name) is value]
    if names or value is SYSTEM:
        return names[0] if names else "SYSTEM"
    return f"{type(value).__name__}()" if _is_plainly_made(value) else "..."


def _is_plainly_made(value: object) -> bool:
    try:
        return bool(type(value)() == value) and value is not ...
    except TypeError:
        return False


def _type(annotation: object) -> str:
    """Return a type as one writes it, without the modules it is from."""
    if isinstance(annotation, type) and not get_args(annotation):
        text = annotation.__name__
    else:
        text = str(annotation)
    text = re.sub(r"\*<class '([\w.]+)'>", r"Unpack[\1]", text)
    text = re.sub(r"ForwardRef\('(\w+)'\)|'JSON'", lambda found: found[1] or "JSON", text)
    text = re.sub(r"\b(?:[a-z_0-9]+\.)+(?=[A-Za-z])", "", text).replace("NoneType", "None")
    while _JSON in text:
        text = text.replace(_JSON, "JSON")
    return text.strip("'\"").replace("~", "")
