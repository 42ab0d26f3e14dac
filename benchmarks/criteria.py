"""How well acceptance criteria are found in descriptions, in four markups."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from time import process_time  # noqa: TID251  # processor time is what a benchmark measures
from typing import Any, Final, TypeAlias

from rove_memory.criteria.rules import Markup, find_criteria, to_markdown

Parser: TypeAlias = Callable[[str], list[str]]
#: The least that counts as good: precision, recall, exact documents, clean documents without any.
TARGETS: Final = {"P": 0.97, "R": 0.97, "exact_docs": 0.92, "clean": 11 / 12}
#: By how much exact documents may be fewer in another markup.
APART: Final = 0.03
_MARKED: Final = re.compile(r"\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`")
_ITEM: Final = re.compile(r"(\s*)([-*•]|\d+[.)]) (?:\[(?P<box>[ xX])\] )?(.*)")


def main() -> int:
    """Print what each markup gives; return 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks criteria", description=__doc__)
    parser.add_argument("harness", type=Path, help="the folder of score.py and its texts")
    parser.add_argument("--wrong", action="store_true", help="name inexact documents")
    options = parser.parse_args()
    score = _module(options.harness / "score.py")
    labels = (options.harness / "labels.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in labels]
    folder = options.harness / "texts"
    print(f"{'markup':10}{'P':>8}{'R':>8}{'exact':>8}{'clean':>8}{'ms each':>9}")
    exact = {}
    missed = False
    for name, (variant, parse) in _parsers().items():
        found = score.run(parse, rows, folder, variant)
        each = _time(parse, [folder / f"{row['id']}.md" for row in rows]) * 1000
        values = found["ALL"] | {"clean": found["negatives"]["exact_docs"]}
        exact[name] = values["exact_docs"]
        print(f"{name:10}" + "".join(f"{values[key]:8.3f}" for key in TARGETS) + f"{each:9.1f}")
        missed |= any(values[key] < least - 5e-4 for key, least in TARGETS.items())
        if options.wrong:
            _print_wrong(score, rows, folder, variant, parse)
    return int(missed or max(exact.values()) - min(exact.values()) > APART)


def _parsers() -> Mapping[str, tuple[str, Parser]]:
    """Return, by markup, the harness's encoding and what reads it."""
    return {
        "markdown": ("md", _reads("markdown")),
        "wiki": ("jira", _reads("wiki")),
        "html": ("html", _reads("html")),
        "adf": ("md", lambda text: _texts(to_markdown(as_adf(text), "adf"))),
    }


def _reads(markup: Markup) -> Parser:
    return lambda text: _texts(to_markdown(text, markup))


def _texts(markdown: str) -> list[str]:
    return [one.text for one in find_criteria(markdown)]


def _time(parse: Parser, files: Sequence[Path]) -> float:
    """Return the seconds of processor time that a document takes."""
    texts = [file.read_text("utf-8") for file in files]
    started = process_time()
    for text in texts:
        parse(text)
    return (process_time() - started) / len(texts)


def _print_wrong(
    score: Any,  # noqa: ANN401  # a module of the harness
    rows: Sequence[Mapping[str, Any]],
    folder: Path,
    variant: str,
    parse: Parser,
) -> None:
    for row in rows:
        found = score.run(parse, [row], folder, variant)["ALL"]
        if found["exact_docs"] < 1:
            print(f"  {row['id']}: {found['pred']} found, {found['gold']} are there")


def as_adf(markdown: str) -> dict[str, Any]:
    """Return Markdown as Atlassian's editor keeps it: the same words in the same places."""
    content: list[Any] = []
    lists: list[tuple[int, dict[str, Any]]] = []
    lines = iter(markdown.splitlines())
    for line in lines:
        if fence := re.match(r"\s*```(\w*)", line):
            code = []
            for inside in lines:
                if re.match(r"\s*```", inside):
                    break
                code.append(inside)
            text = [{"type": "text", "text": "\n".join(code)}] if code else []
            content.append({"type": "codeBlock", "attrs": {"language": fence[1]}, "content": text})
            lists.clear()
        elif item := _ITEM.fullmatch(line):
            _add_item(content, lists, item)
        elif heading := re.match(r"(#{1,6}) +(.*)", line):
            lists.clear()
            attributes = {"level": len(heading[1])}
            words = _inline(heading[2])
            content.append({"type": "heading", "attrs": attributes, "content": words})
        elif not line.strip():
            content.append(None)  # The next line is a paragraph of its own.
        else:
            _add_line(content, lists, line)
    return {"type": "doc", "version": 1, "content": [node for node in content if node]}


def _add_item(
    content: list[Any], lists: list[tuple[int, dict[str, Any]]], item: re.Match[str]
) -> None:
    indent = len(item[1])
    box = item["box"]
    kind = "taskList" if box else "orderedList" if item[2][0].isdigit() else "bulletList"
    while lists and (
        lists[-1][0] > indent or (lists[-1][0] == indent and lists[-1][1]["type"] != kind)
    ):
        lists.pop()
    if not lists or lists[-1][0] < indent:
        new: dict[str, Any] = {"type": kind, "content": []}
        if lists and lists[-1][1]["type"] == "taskList":
            lists[-1][1]["content"].append(new)
        elif lists:
            lists[-1][1]["content"][-1]["content"].append(new)
        else:
            content.append(new)
        lists.append((indent, new))
    words = _inline(item[4])
    state = "DONE" if box in ("x", "X") else "TODO"
    node = (
        {"type": "taskItem", "attrs": {"state": state}, "content": words}
        if box
        else {"type": "listItem", "content": [{"type": "paragraph", "content": words}]}
    )
    lists[-1][1]["content"].append(node)


def _add_line(content: list[Any], lists: list[tuple[int, dict[str, Any]]], line: str) -> None:
    if lists and line.startswith(" ") and lists[-1][1]["type"] != "taskList":
        lists[-1][1]["content"][-1]["content"].append(
            {"type": "paragraph", "content": _inline(line)}
        )
        return
    lists.clear()
    if content and content[-1] and content[-1]["type"] == "paragraph":
        content[-1]["content"] += [{"type": "hardBreak"}, *_inline(line)]
    else:
        content.append({"type": "paragraph", "content": _inline(line)})


def _inline(text: str) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = []
    at = 0
    for found in _MARKED.finditer(text):
        nodes.append({"type": "text", "text": text[at : found.start()]})
        kind = found.lastgroup or ""
        nodes.append({"type": "text", "text": found[kind], "marks": [{"type": kind}]})
        at = found.end()
    nodes.append({"type": "text", "text": text[at:]})
    return [node for node in nodes if node["text"]]


def _module(path: Path) -> Any:  # noqa: ANN401  # a module of the harness
    specification = spec_from_file_location("criteria_score", path)
    if specification is None or specification.loader is None:
        sys.exit(f"{path} is no Python file")
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main())
