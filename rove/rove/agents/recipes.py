"""Recipes: which files each agent reads, and what Rove writes into them."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from rove.agents.managed_block import ManagedBlock, ManagedPart
from rove.agents.mcp_entry import JsonEntry, TomlEntry
from rove_core.errors import WrongCall

#: importlib.resources would take longer to import than the files to read.
_DATA: Final = Path(__file__).parent


@frozen
class RecipeFile:
    """One file of a recipe.

    Attributes:
        path: Where it lies, below the project's folder or the home folder.
        managed: What stands in it.
        home: Whether it may lie in the home folder, for all projects.
    """

    path: str
    managed: ManagedPart
    home: bool


@frozen
class Recipe:
    """How to set up one agent.

    Attributes:
        name: What it is called on the command line.
        title: Which agent that is.
        files: The files it looks into.
    """

    name: str
    title: str
    files: tuple[RecipeFile, ...]


@cache
def recipes() -> Mapping[str, Recipe]:
    """Return the recipes by name."""
    table = tomllib.loads(_DATA.joinpath("recipes.toml").read_text("utf-8"))
    return {name: _recipe(name, entry) for name, entry in table.items()}


@cache
def mcp_recipes() -> Mapping[str, Recipe]:
    """Return the recipes that list Rove among an agent's MCP servers, by name."""
    table = tomllib.loads(_DATA.joinpath("mcp_recipes.toml").read_text("utf-8"))
    return {
        name: Recipe(name, entry["title"], tuple(map(_mcp_file, entry["files"])))
        for name, entry in table.items()
    }


def recipe(name: str, recipes: Mapping[str, Recipe]) -> Recipe:
    """Return a recipe, or say which ones there are."""
    if name not in recipes:
        raise WrongCall(f"no recipe for {name!r}; there are: {', '.join(recipes)}")
    return recipes[name]


def _recipe(name: str, entry: Mapping[str, Any]) -> Recipe:
    return Recipe(name, entry["title"], tuple(map(_file, entry["files"])))


def _file(entry: Mapping[str, Any]) -> RecipeFile:
    managed = ManagedBlock.split(_DATA.joinpath(entry["text"]).read_bytes())
    if head := entry.get("head"):
        managed = ManagedBlock(managed.text, _DATA.joinpath(head).read_bytes())
    return RecipeFile(entry["path"], managed, entry.get("home", False))


def _mcp_file(entry: Mapping[str, Any]) -> RecipeFile:
    part: ManagedPart = (
        TomlEntry(entry["table"])
        if "table" in entry
        else JsonEntry(entry["key"], entry.get("more", {}))
    )
    return RecipeFile(entry["path"], part, entry.get("home", False))
