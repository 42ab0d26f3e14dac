"""What a file names: calls, types, imports, links."""

import pytest
from tests.code.outlines import named, sample

from rove_code.model import NameReference
from rove_code.parsing import parse


def test_calls_are_named_by_their_last_part() -> None:
    """A method that is called is a reference, whatever it is called on."""
    parsed = parse("shop.basket.add(Egg(1))\n", "python")

    assert named(parsed, "call") == ["add", "Egg"]


def test_types_are_found_where_they_are_said() -> None:
    """Annotations, bases and exceptions name types."""
    text = """
        class Box(shop.Container):
            def add(self, eggs: list[Egg] | None) -> "Box":
                try: ...
                except shop.Full: ...
                except (Broken, Rotten): ...
        """

    assert named(sample(text, "python"), "type") == [
        "Container",
        "list",
        "Egg",
        "Broken",
        "Rotten",
    ]


@pytest.mark.parametrize(
    ("language", "text", "names"),
    [
        ("python", "from shop.base import Box as B\nimport os.path\n", ["base", "Box", "path"]),
        ("javascript", 'import fs, { join as j } from "lodash/fp";\n', ["fs", "join", "fp"]),
        ("typescript", 'import type { A } from "react";\n', ["A", "react"]),
        ("go", 'package a\nimport "github.com/acme/eggs"\n', ["eggs"]),
        ("rust", "use std::collections::{HashMap, hash_map::Entry};\n", None),
        ("java", "import java.util.List;\n", ["List"]),
        ("csharp", "using System.Collections;\n", ["Collections"]),
        ("ruby", 'require "shop/base"\n', ["base"]),
        ("php", "<?php\nuse Shop\\Base;\n", ["Base"]),
        ("kotlin", "import kotlin.math.max\n", ["max"]),
        ("swift", "import Foundation\n", ["Foundation"]),
        ("scala", "import scala.collection.mutable\n", ["mutable"]),
    ],
)
def test_imports_name_modules_and_what_is_taken_from_them(
    language: str, text: str, names: list[str] | None
) -> None:
    """Each import is a reference to the last part of its name."""
    assert named(sample(text, language), "import") == (names or ["collections", "HashMap", "Entry"])


@pytest.mark.parametrize(
    ("language", "text", "path"),
    [
        ("python", "# See docs/x.md, and https://acme.org/y.md.\n", "docs/x.md"),
        ("javascript", 'import { a } from "./util";\n', "./util"),
        ("javascript", 'const a = require("../other");\n', "../other"),
        ("c", '#include "shop/egg.h"\n', "shop/egg.h"),
        ("markdown", "See [it](../guide#top), not [that](https://acme.org/x).\n", "../guide"),
        ("markdown", "Run `setup.py` first.\n", "setup.py"),
        ("yaml", "run: ./tools/build.sh --all\n", "./tools/build.sh"),
        ("toml", 'readme = "README.md"\n', "README.md"),
        ("json", '{"main": "lib/index.js"}\n', "lib/index.js"),
    ],
)
def test_files_that_are_mentioned_are_links(language: str, text: str, path: str) -> None:
    """A link has the path as it is written; the addresses of pages are none."""
    assert named(sample(text, language), "link") == [path]


def test_a_name_is_kept_once_per_chunk() -> None:
    """Of several equal references in a chunk the first one counts."""
    parsed = parse("run()\nrun()\nstop()\n", "python")

    assert parsed.references == (
        NameReference("run", "call", 1, 0),
        NameReference("stop", "call", 3, 0),
    )
