"""Which files are read: supported kinds, size caps and exclusions."""

import re
from collections.abc import Collection
from typing import Final, Literal, TypeAlias

#: What a file of the manifest is; ``skipped`` and ``error`` have no summary, but a reason.
FileKind: TypeAlias = Literal["text", "image", "pdf", "docx", "skipped", "error"]

#: One megabyte for a file, five for an image.
MOST_BYTES: Final = 1 << 20
MOST_IMAGE_BYTES: Final = 5 << 20

_PROSE: Final = ".md .markdown .txt .rst .adoc .org .tex .log .srt .vtt"
_TABLES: Final = ".csv .tsv"
_CODE: Final = (
    ".py .pyi .ipynb .js .jsx .mjs .cjs .ts .tsx .java .kt .kts .scala .groovy .go .rs .c .h .cc"
    " .cpp .cxx .hh .hpp .m .mm .cs .fs .vb .swift .rb .php .pl .pm .lua .r .jl .ex .exs .erl .hs"
    " .ml .clj .dart .sh .bash .zsh .fish .ps1 .bat .sql .html .htm .css .scss .less .vue .svelte"
    " .json .jsonl .yaml .yml .toml .ini .cfg .xml .proto .graphql .tf .gradle .cmake .nix .mk"
)
TABLE_SUFFIXES: Final = frozenset(_TABLES.split())
CODE_SUFFIXES: Final = frozenset(_CODE.split())

#: The kind that a name promises; what the content is decides when the file is read.
KIND_OF_SUFFIX: Final[dict[str, FileKind]] = {
    **dict.fromkeys((*_PROSE.split(), *_TABLES.split(), *_CODE.split()), "text"),
    ".png": "image",
    ".jpg": "image",
    ".jpeg": "image",
    ".pdf": "pdf",
    ".docx": "docx",
}
#: What people know as formats that nothing here reads: their content is not looked at.
_OTHER: Final = (
    ".zip .gz .tgz .bz2 .xz .7z .rar .tar .jar .war .apk .whl .iso .dmg .xls .xlsx .xlsm .ppt"
    " .pptx .doc .odt .ods .odp .pages .numbers .mp3 .mp4 .m4a .mov .avi .mkv .webm .wav .ogg"
    " .flac .psd .ai .sketch .fig .svg .map .lock .woff .woff2 .ttf .otf .eot .ico .exe .dll .so"
    " .dylib .o .a .class .pyc .wasm .db .sqlite .sqlite3 .parquet"
)
_OTHER_FORMATS: Final = frozenset(_OTHER.split())
#: Files that people know by their whole name.
_NAMED_TEXT: Final = (
    "readme license licence notice authors contributors changelog changes todo makefile dockerfile"
    " justfile rakefile gemfile procfile jenkinsfile codeowners"
)
_NAMED: Final = frozenset(_NAMED_TEXT.split())
_CACHES: Final = frozenset(
    ["node_modules", "bower_components", "__pycache__", "venv", "site-packages", "vendor", "target"]
)
#: Folders whose names begin with a dot hold settings and caches, but for these.
_SHOWN: Final = frozenset({".github", ".gitlab"})
#: What people keep secrets in, by name; in capitals or not.
_SECRET: Final = re.compile(
    r"\.env.*|.*\.env(?:\..*)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|asc|gpg|ppk|ovpn|age)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519).*|(?:client_)?secrets?(?:[._-].*)?|credentials?(?:[._-].*)?"
    r"|service[_-]?account.*\.json|.*\.tfvars|.*\.tfstate.*|htpasswd|kubeconfig.*|[\w-]*[._-]credentials?(?:\..*)?|passwords?(?:[._-].*)?",
    re.IGNORECASE,
)


def is_walked(folder: str) -> bool:
    """Return whether the files of a folder of this name are looked at."""
    if folder[0] == ".":
        return folder in _SHOWN
    return folder not in _CACHES


def suffix_of(name: str) -> str:
    """Return the ending of a file's name in lower case, with its dot; empty if it has none."""
    stem, dot, end = name.rpartition(".")
    return f".{end.lower()}" if dot and stem else ""


def promised_kind(name: str, further: Collection[str] = ()) -> FileKind | None:
    """Return the kind that a file's name promises; None if it is not to be read.

    Args:
        name: The file's name.
        further: Endings that are read as text beside those of the whitelist.
    """
    suffix = suffix_of(name)
    kind = KIND_OF_SUFFIX.get(suffix)
    if kind is None and (suffix in further or (not suffix and name.lower() in _NAMED)):
        kind = "text"
    if kind is None or name[0] == "." or is_secret(name):
        return None
    return kind


def may_be_read(name: str) -> bool:
    """Return whether to look into a file with an uninformative name."""
    return name[0] != "." and suffix_of(name) not in _OTHER_FORMATS


def is_secret(name: str) -> bool:
    """Return whether people keep secrets in files of this name."""
    return _SECRET.fullmatch(name) is not None


def most_bytes(kind: FileKind) -> int:
    """Return how large a file of a kind may be."""
    return MOST_IMAGE_BYTES if kind == "image" else MOST_BYTES
