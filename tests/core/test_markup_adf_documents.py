"""No word of a document is lost or repeated, whatever the document is made of."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rove_core import adf_to_markdown

#: All kinds of nodes there are, and some that nobody has made yet.
INLINE = tuple(
    """date emoji hardBreak inlineCard inlineExtension mediaInline mention placeholder status text
    hologram""".split()  # noqa: SIM905  # a list would hide the names
)
BLOCKS = tuple(
    """blockCard blockTaskItem blockquote bodiedExtension bodiedSyncBlock bulletList caption
    codeBlock decisionItem decisionList doc embedCard expand extension heading layoutColumn
    layoutSection listItem media mediaGroup mediaSingle nestedExpand orderedList panel paragraph
    rule syncBlock table tableCell tableHeader tableRow taskItem taskList sculpture""".split()  # noqa: SIM905  # a list would hide the names
)
MARKS = ("strong", "em", "strike", "code", "link", "underline", "subsup", "textColor", "glitter")
#: Where kinds of nodes have words that a reader sees.
SAID = {
    "mention": "text",
    "emoji": "text",
    "status": "text",
    "placeholder": "text",
    "inlineExtension": "text",
    "extension": "text",
    "bodiedExtension": "text",
    "inlineCard": "url",
    "blockCard": "url",
    "embedCard": "url",
    "media": "alt",
    "mediaInline": "alt",
    "expand": "title",
    "nestedExpand": "title",
}
ODD = st.none() | st.booleans() | st.integers() | st.lists(st.none(), max_size=2)
Tree = dict[str, Any]


@st.composite
def marks(draw: st.DrawFn) -> list[Any]:
    """Draw marks, some of them broken."""
    names = draw(st.lists(st.sampled_from(MARKS), max_size=4, unique=True))
    found: list[Any] = [{"type": name} for name in names]
    for each in found:
        if draw(st.booleans()):
            each["attrs"] = draw(
                ODD | st.fixed_dictionaries({"href": ODD | st.just("https://a.example/x(1)")})
            )
    return found + draw(st.lists(ODD, max_size=1))


@st.composite
def node(draw: st.DrawFn, depth: int = 0) -> Tree:
    """Draw a node with anything in it, whether or not that may be."""
    kind = draw(st.sampled_from(INLINE + BLOCKS if depth < 5 else INLINE))
    found: Tree = {"type": kind}
    if kind == "text":
        found |= {"text": "leaf", "marks": draw(marks() | ODD)}
    if kind in SAID and draw(st.booleans()):
        found["attrs"] = {SAID[kind]: "leaf"}
    elif draw(st.booleans()):
        names = st.sampled_from(
            ["level", "order", "state", "colspan", "rowspan", "panelType", "id"]
        )
        found["attrs"] = draw(ODD | st.dictionaries(names, ODD, max_size=3))
    if kind in BLOCKS and draw(st.booleans()):
        found["content"] = draw(st.lists(node(depth + 1) | ODD, max_size=4))
    if draw(st.integers(0, 9)) == 0:
        del found["type"]
        found.pop("attrs", None)
    return found


def numbered(tree: Any, names: Iterator[int]) -> None:  # noqa: ANN401  # any JSON
    """Give each leaf a word of its own."""
    if isinstance(tree, list):
        for each in tree:
            numbered(each, names)
    if not isinstance(tree, dict):
        return
    attrs = tree.get("attrs")
    for holder in (tree, attrs if isinstance(attrs, dict) else {}):
        for name, value in holder.items():
            if value == "leaf":
                holder[name] = f"leaf{next(names)}x"
    numbered(tree.get("content"), names)


def leaves(tree: Any) -> list[str]:  # noqa: ANN401  # any JSON
    """Return all leaves of a document."""
    said = json.dumps(tree)
    return [word for word in said.replace('"', " ").split() if word.startswith("leaf")]


def check(tree: Any) -> None:  # noqa: ANN401  # any JSON
    """Assert that each leaf of a document stands once in its Markdown."""
    numbered(tree, iter(range(10_000)))
    markdown = adf_to_markdown(tree)

    assert {leaf: markdown.count(leaf) for leaf in leaves(tree)} == dict.fromkeys(leaves(tree), 1)


@settings(
    max_examples=400, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.lists(node(), max_size=5))
def test_every_leaf_of_any_tree_is_there_once(content: list[Tree]) -> None:
    """Whatever stands in whatever, and however broken it is around the words."""
    check({"type": "doc", "version": 1, "content": content})


@cache
def definitions(folder: Path) -> Mapping[str, Any]:
    """Return the definitions of Atlassian's schema."""
    schema = json.loads(gzip.decompress((folder / "adf-schema.full.json.gz").read_bytes()))
    found: Mapping[str, Any] = schema["definitions"]
    return found


class Drawn:
    """Draws what a schema allows."""

    def __init__(self, known: Mapping[str, Any], draw: Callable[..., Any]) -> None:
        self.known = known
        self.draw = draw

    def value(self, schema: Mapping[str, Any], depth: int) -> Any:  # noqa: ANN401, PLR0911  # any JSON, one for each kind
        """Draw a value; what is deep in it is as small as it can be."""
        match schema:
            case {"$ref": str()}:
                return self.value(self._resolved(schema), depth)
            case {"anyOf": list(several)}:
                return self.value(self.draw(st.sampled_from(several)), depth)
            case {"allOf": list(parts)}:
                return self.value(self._merged(parts), depth)
            case {"enum": list(values)}:
                return self.draw(st.sampled_from(values))
            case {"type": "object"}:
                return self._object(schema, depth)
            case {"type": "array"}:
                return self._array(schema, depth)
            case {"type": "number"}:
                return self.draw(st.integers(int(schema.get("minimum", 0)), 3))
            case {"type": "boolean"}:
                return self.draw(st.booleans())
        return "some"

    def _merged(self, parts: list[Any]) -> Mapping[str, Any]:
        wholes = [self._resolved(part) for part in parts]
        flat = [self._merged(whole["allOf"]) if "allOf" in whole else whole for whole in wholes]
        every = [part.get("properties", {}) for part in flat]
        properties = {name: each for several in every for name, each in several.items()}
        required = [name for part in flat for name in part.get("required", [])]
        return {"type": "object", "properties": properties, "required": required}

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        if "$ref" not in schema:
            return schema
        target: Mapping[str, Any] = self.known[schema["$ref"].rpartition("/")[2]]
        return target

    def _object(self, schema: Mapping[str, Any], depth: int) -> Tree:
        found: Tree = {}
        for name, each in schema.get("properties", {}).items():
            wanted = name in schema.get("required", []) or name == "content"
            if wanted or self.draw(st.booleans()):
                found[name] = self.value(each, depth)
        kind = found.get("type")
        if "text" in found and kind == "text":
            found["text"] = "leaf"
        if kind in SAID and SAID[kind] in found.get("attrs", {}):
            found["attrs"][SAID[kind]] = "leaf"
        return found

    def _array(self, schema: Mapping[str, Any], depth: int) -> list[Any]:
        each = schema.get("items", {})
        if isinstance(each, list):
            return [self.value(one, depth + 1) for one in each]
        least = schema.get("minItems", 0)
        most = max(least, 2 if depth < 5 else 0)
        count = min(self.draw(st.integers(least, most)), schema.get("maxItems", most))
        return [self.value(each, depth + 1) for _ in range(count)]


def names_of_nodes(specifications: Path) -> list[str]:
    """Return the names of the schema's definitions of nodes."""
    return [name for name in definitions(specifications) if name.endswith("_node")]


def test_the_schema_has_the_nodes_we_know(specifications: Path) -> None:
    """All 63 definitions of nodes; a new schema with more is looked at by a person."""
    assert len(names_of_nodes(specifications)) == 63


@settings(max_examples=300, suppress_health_check=[*HealthCheck])
@given(data=st.data())
def test_every_leaf_of_a_right_document_is_there_once(
    specifications: Path, data: st.DataObject
) -> None:
    """A document as Atlassian's own schema allows it, of any of its nodes."""
    known = definitions(specifications)
    name = data.draw(st.sampled_from(names_of_nodes(specifications)))

    check(Drawn(known, data.draw).value(known[name], 0))


@settings(max_examples=200, suppress_health_check=[*HealthCheck])
@given(data=st.data())
def test_every_leaf_of_a_spoilt_document_is_there_once(
    specifications: Path, data: st.DataObject
) -> None:
    """The same with keys taken away, nulls, and nodes and marks of no known kind put in."""
    known = definitions(specifications)
    tree = Drawn(known, data.draw).value(known["doc_node"], 0)
    spoil(tree, data.draw)

    check(tree)


def spoil(tree: Any, draw: Callable[..., Any]) -> None:  # noqa: ANN401  # any JSON
    """Break a document, but not the places of its words."""
    if isinstance(tree, list):
        for each in tree:
            spoil(each, draw)
        for spot in draw(st.lists(st.integers(0, len(tree)), max_size=1)):
            tree.insert(
                spot, draw(st.sampled_from([None, 3, {"type": "hologram", "text": "leaf"}]))
            )
        return
    if not isinstance(tree, dict):
        return
    for name in draw(
        st.lists(st.sampled_from(["attrs", "marks", "version", "localId"]), max_size=2)
    ):
        if "leaf" not in json.dumps(tree.get(name)):
            tree[name] = draw(st.none() | st.just({}) | st.just(["odd"]))
    spoil(tree.get("content"), draw)
