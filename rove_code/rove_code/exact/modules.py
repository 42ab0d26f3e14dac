"""Resolve module names to files."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from posixpath import commonpath, dirname, join, normpath
from typing import Final

from attrs import define

_SUFFIXES: Final = (
    "",
    ".ts",
    ".tsx",
    ".d.ts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".mts",
    ".cts",
    ".vue",
)
_INDEXES: Final = tuple(f"/index{suffix}" for suffix in _SUFFIXES[1:])
_WRITTEN: Final = re.compile(r"\.[cm]?jsx?$")
_GO_MODULE: Final = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_CRATE: Final = re.compile(r'^\s*name\s*=\s*"([^"]+)"', re.MULTILINE)
_MOST_CONFIGS: Final = 200


@define(slots=False)
class Modules:
    """The files of a repository by the names of modules.

    Attributes:
        paths: All files.
        read: Gives a file's text; None if it cannot be read.
    """

    paths: Sequence[str]
    read: Callable[[str], str | None]

    def files(self, module: str, path: str, language: str) -> Sequence[str]:
        """Return the files that a module's name means in a file; none if it is not of here."""
        if language == "python":
            return self._of_python(module, path)
        if language == "go":
            return self._of_go(module)
        if language == "java":
            return self._of_java(module)
        if language == "rust":
            return self._of_rust(module, path)
        return self._of_ecmascript(module, path)

    def package(self, path: str, language: str) -> Sequence[str]:
        """Return the files whose names a file sees without an import."""
        if language in {"go", "java"}:
            suffix = f".{language}"
            return [each for each in self._folders[dirname(path)] if each.endswith(suffix)]
        return ()

    def submodule(self, files: Sequence[str], name: str, language: str) -> Sequence[str]:
        """Return the files of a module in a module."""
        found: list[str] = []
        for each in files:
            if language == "python" and each.endswith("/__init__.py"):
                folder = dirname(each)
                found += self._there(f"{folder}/{name}.py", f"{folder}/{name}/__init__.py")
            elif language == "rust":
                found += self._below_crate(_rust_folder(each), [name])
        return found

    @cached_property
    def _all_paths(self) -> frozenset[str]:
        return frozenset(self.paths)

    @cached_property
    def _folders(self) -> Mapping[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self.paths:
            found[dirname(path)].append(path)
        return found

    @cached_property
    def _named(self) -> Mapping[str, list[str]]:
        """All files and folders by their last part."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self.paths:
            found[path.rpartition("/")[2]].append(path)
        return found

    @cached_property
    def _named_folders(self) -> Mapping[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for folder in self._folders:
            found[folder.rpartition("/")[2]].append(folder)
        return found

    def _there(self, *paths: str) -> list[str]:
        return [each for each in paths if each in self._all_paths]

    def _of_python(self, module: str, path: str) -> Sequence[str]:
        dots = len(module) - len(module.lstrip("."))
        parts = [part for part in module[dots:].split(".") if part]
        if dots:
            folder = path
            for _ in range(dots):
                folder = dirname(folder)
            base = "/".join(filter(None, (folder, *parts)))
            return self._there(f"{base}.py", f"{base}/__init__.py", f"{base}.pyi")
        if not parts:
            return ()
        tail = "/".join(parts)
        found = [
            each
            for last in (f"{parts[-1]}.py", "__init__.py", f"{parts[-1]}.pyi")
            for each in self._candidates(last, tail)
        ]
        return _nearest(found, path)

    def _candidates(self, last: str, tail: str) -> Iterable[str]:
        end = (
            f"{tail}/__init__.py"
            if last == "__init__.py"
            else f"{dirname(tail)}/{last}".lstrip("/")
        )
        for each in self._named.get(last, ()):
            if each == end or each.endswith(f"/{end}"):
                root = each[: len(each) - len(end)].rstrip("/")
                # What lies in a package has the package's name before its own.
                if f"{root}/__init__.py".lstrip("/") not in self._all_paths or not root:
                    yield each

    def _of_ecmascript(self, module: str, path: str) -> Sequence[str]:
        if module.startswith("."):
            return self._script(normpath(join(dirname(path), module)))
        for prefix, target in self._aliases:
            if module == prefix or module.startswith(f"{prefix}/"):
                rest = module[len(prefix) :].lstrip("/")
                found = self._script(normpath(join(target, rest))) if rest or target else []
                for inside in ("src", "lib", ""):
                    found = found or self._script(normpath(join(target, inside, rest or "index")))
                # Another may say where what is not built yet comes from.
                if found:
                    return found
        return ()

    def _script(self, base: str) -> list[str]:
        base = base.removeprefix("./")
        bare = _WRITTEN.sub("", base)
        bases = (base, bare) if bare != base else (base,)
        tried = [f"{each}{end}" for each in bases for end in (*_SUFFIXES, *_INDEXES)]
        return self._there(*tried)[:1]

    @cached_property
    def _aliases(self) -> Sequence[tuple[str, str]]:
        """Names of packages and TypeScript path aliases, longest first."""
        found: list[tuple[str, str]] = []
        for path in self._named.get("package.json", ())[:_MOST_CONFIGS]:
            name = _json(self.read(path)).get("name")
            if isinstance(name, str):
                found.append((name, dirname(path)))
        for path in self._named.get("tsconfig.json", ())[:_MOST_CONFIGS]:
            options = _json(self.read(path)).get("compilerOptions")
            mapped = options.get("paths") if isinstance(options, dict) else None
            base = options.get("baseUrl", ".") if isinstance(options, dict) else "."
            for key, targets in mapped.items() if isinstance(mapped, dict) else ():
                if isinstance(targets, list) and targets and isinstance(targets[0], str):
                    target = normpath(join(dirname(path), str(base), targets[0].rstrip("*/")))
                    found.append((key.rstrip("*/"), "" if target == "." else target))
        return sorted(found, key=lambda each: -len(each[0]))

    def _of_go(self, module: str) -> Sequence[str]:
        for prefix, folder in self._go_modules:
            if module == prefix or module.startswith(f"{prefix}/"):
                rest = module[len(prefix) :].strip("/")
                directory = "/".join(filter(None, (folder, rest)))
                return [each for each in self._folders.get(directory, ()) if each.endswith(".go")]
        return ()

    @cached_property
    def _go_modules(self) -> Sequence[tuple[str, str]]:
        found = [
            (named[1], dirname(path))
            for path in self._named.get("go.mod", ())[:_MOST_CONFIGS]
            if (named := _GO_MODULE.search(self.read(path) or ""))
        ]
        return sorted(found, key=lambda each: -len(each[0]))

    def _of_java(self, module: str) -> Sequence[str]:
        tail = module.replace(".", "/")
        last = tail.rpartition("/")[2]
        folders = [
            each
            for each in self._named_folders.get(last, ())
            if each == tail or each.endswith(f"/{tail}")
        ]
        inside = [
            path for each in folders for path in self._folders[each] if path.endswith(".java")
        ]
        if inside:
            return inside
        named = self._named.get(f"{last}.java", ())
        return [each for each in named if each.endswith(f"{tail}.java")]

    def _of_rust(self, module: str, path: str) -> Sequence[str]:
        parts = [part for part in module.split("::") if part]
        if not parts:
            return ()
        root = self._crate_root(path)
        head, *rest = parts
        if head == "crate":
            return self._below_crate(root, rest)
        if head in {"self", "super"}:
            folder = _rust_folder(path)
            while (rest and head == "super") or head == "super":
                folder = dirname(folder)
                if not rest or rest[0] != "super":
                    break
                head, *rest = rest
            return self._below_crate(folder, rest)
        near = self._below_crate(_rust_folder(path), parts)
        return near or self._below_crate(self._crates.get(head, "\0"), rest)

    def _below_crate(self, folder: str, parts: Sequence[str]) -> list[str]:
        """Return the file of a module below a folder: the longest part of its name that is one."""
        for count in range(len(parts), -1, -1):
            base = "/".join(filter(None, (folder, *parts[:count])))
            found = self._there(f"{base}.rs", f"{base}/mod.rs")
            if not count:
                found = found or self._there(f"{base}/lib.rs", f"{base}/main.rs")
            if found:
                return found
        return []

    def _crate_root(self, path: str) -> str:
        folder = dirname(path)
        while folder:
            if self._there(f"{folder}/lib.rs", f"{folder}/main.rs"):
                return folder
            folder = dirname(folder)
        return dirname(path)

    @cached_property
    def _crates(self) -> Mapping[str, str]:
        found = {}
        for path in self._named.get("Cargo.toml", ())[:_MOST_CONFIGS]:
            if named := _CRATE.search(self.read(path) or ""):
                found[named[1].replace("-", "_")] = "/".join(filter(None, (dirname(path), "src")))
        return found


def _rust_folder(path: str) -> str:
    """Return the folder of the modules in a module."""
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".rs")
    return folder if stem in {"mod", "lib", "main"} else "/".join(filter(None, (folder, stem)))


def _nearest(found: Sequence[str], path: str) -> Sequence[str]:
    if len(found) < 2:
        return found
    near = {each: len(commonpath([each, path])) for each in found}
    most = max(near.values())
    return [each for each in found if near[each] == most]


def _json(text: str | None) -> Mapping[str, object]:
    lines = re.sub(r"^\s*//.*$", "", text or "", flags=re.MULTILINE)
    try:
        data = json.loads(re.sub(r",(\s*[}\]])", r"\1", lines))
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}
