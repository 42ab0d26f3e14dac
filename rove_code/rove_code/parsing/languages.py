"""Supported languages: file names and parsers."""

from functools import lru_cache
from typing import Final

from attrs import frozen


@frozen(kw_only=True)
class Language:
    """A language, or a kind of file.

    Attributes:
        name: As people write it in small letters (``python``).
        suffixes: What names of its files end in, without the dot; a longer one goes first.
        files: Whole names of its files, in small letters.
        grammar: The module of its grammar; empty when its files are only cut into windows.
        entry: What that module's function for the grammar is called.
        queries: The queries that find what there is, by the names of their files.
        opens: What a comment begins with; empty when there are no comments.
        closes: What a comment ends with, when that is not the end of the line.
        is_prose: Whether its lines may well be paragraphs.
        is_generated: Whether only machines write it.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    grammar: str = ""
    entry: str = "language"
    queries: tuple[str, ...] = ()
    opens: str = ""
    closes: str = ""
    is_prose: bool = False
    is_generated: bool = False


@lru_cache(maxsize=1 << 16)
def language_of(path: str) -> str:
    """Return the language of a file by its name; empty if unknown."""
    file = path.rpartition("/")[2].lower()
    if file in _BY_FILE:
        return _BY_FILE[file]
    while "." in file:
        file = file.partition(".")[2]
        if file in _BY_SUFFIX:
            return _BY_SUFFIX[file]
    return ""


def language_named(name: str) -> Language:
    """Return the language of a name; one without a grammar when there is none of it."""
    return _BY_NAME.get(name) or Language(name=name)


def suffixes() -> tuple[str, ...]:
    """Return all supported suffixes."""
    return tuple(_BY_SUFFIX)


_LANGUAGES: Final = (
    Language(
        name="python",
        suffixes=("py", "pyi", "pyw"),
        files=("sconstruct", "wscript"),
        grammar="tree_sitter_python",
        queries=("python",),
        opens="#",
    ),
    Language(
        name="javascript",
        suffixes=("js", "jsx", "mjs", "cjs"),
        grammar="tree_sitter_javascript",
        queries=("ecmascript", "javascript"),
        opens="//",
    ),
    Language(
        name="typescript",
        suffixes=("ts", "mts", "cts"),
        grammar="tree_sitter_typescript",
        entry="language_typescript",
        queries=("ecmascript", "typescript"),
        opens="//",
    ),
    Language(
        name="tsx",
        suffixes=("tsx",),
        grammar="tree_sitter_typescript",
        entry="language_tsx",
        queries=("ecmascript", "typescript"),
        opens="//",
    ),
    Language(
        name="go",
        suffixes=("go",),
        grammar="tree_sitter_go",
        queries=("go",),
        opens="//",
    ),
    Language(
        name="rust",
        suffixes=("rs",),
        grammar="tree_sitter_rust",
        queries=("rust",),
        opens="//",
    ),
    Language(
        name="java",
        suffixes=("java",),
        grammar="tree_sitter_java",
        queries=("java",),
        opens="//",
    ),
    Language(
        name="c",
        suffixes=("c",),
        grammar="tree_sitter_c",
        queries=("c",),
        opens="//",
    ),
    Language(
        name="cpp",
        suffixes=("cpp", "cc", "cxx", "h", "hpp", "hh", "hxx", "inl", "ipp", "cu", "cuh"),
        grammar="tree_sitter_cpp",
        queries=("c", "cpp"),
        opens="//",
    ),
    Language(
        name="csharp",
        suffixes=("cs",),
        grammar="tree_sitter_c_sharp",
        queries=("csharp",),
        opens="//",
    ),
    Language(
        name="ruby",
        suffixes=("rb", "rake", "gemspec", "ru"),
        files=("gemfile", "rakefile", "vagrantfile", "podfile"),
        grammar="tree_sitter_ruby",
        queries=("ruby",),
        opens="#",
    ),
    Language(
        name="php",
        suffixes=("php", "phtml"),
        grammar="tree_sitter_php",
        entry="language_php",
        queries=("php",),
        opens="//",
    ),
    Language(
        name="kotlin",
        suffixes=("kt", "kts"),
        grammar="tree_sitter_kotlin",
        queries=("kotlin",),
        opens="//",
    ),
    Language(
        name="swift",
        suffixes=("swift",),
        grammar="tree_sitter_swift",
        queries=("swift",),
        opens="//",
    ),
    Language(
        name="scala",
        suffixes=("scala", "sc", "sbt"),
        grammar="tree_sitter_scala",
        queries=("scala",),
        opens="//",
    ),
    Language(
        name="bash",
        suffixes=("sh", "bash", "zsh", "ksh", "bats"),
        files=(".bashrc", ".bash_profile", ".profile", ".zshrc"),
        grammar="tree_sitter_bash",
        queries=("bash",),
        opens="#",
    ),
    Language(
        name="html",
        suffixes=("html", "htm", "xhtml"),
        grammar="tree_sitter_html",
        queries=("html",),
        opens="<!--",
        closes="-->",
        is_prose=True,
    ),
    Language(
        name="css",
        suffixes=("css",),
        grammar="tree_sitter_css",
        queries=("css",),
        opens="/*",
        closes="*/",
    ),
    Language(
        name="json",
        suffixes=("json", "jsonc", "webmanifest"),
        files=(".babelrc", ".eslintrc", ".prettierrc"),
        grammar="tree_sitter_json",
        queries=("json",),
    ),
    Language(
        name="yaml",
        suffixes=("yaml", "yml"),
        files=(".clang-format", ".clang-tidy"),
        grammar="tree_sitter_yaml",
        queries=("yaml",),
        opens="#",
    ),
    Language(
        name="toml",
        suffixes=("toml",),
        files=("pipfile",),
        grammar="tree_sitter_toml",
        queries=("toml",),
        opens="#",
    ),
    Language(
        name="markdown",
        suffixes=("md", "markdown", "mdx"),
        grammar="tree_sitter_markdown",
        queries=("markdown",),
        opens="<!--",
        closes="-->",
        is_prose=True,
    ),
    Language(name="restructuredtext", suffixes=("rst",), opens=".. ", is_prose=True),
    Language(
        name="text",
        suffixes=("txt", "text", "adoc"),
        files=("license", "licence", "copying", "readme", "authors", "changelog", "notice"),
        is_prose=True,
    ),
    Language(name="clojure", suffixes=("clj", "cljs", "cljc", "edn"), opens=";"),
    Language(name="cmake", suffixes=("cmake",), files=("cmakelists.txt",), opens="#"),
    Language(name="dart", suffixes=("dart",), opens="//"),
    Language(name="dockerfile", suffixes=("dockerfile",), files=("dockerfile",), opens="#"),
    Language(name="elixir", suffixes=("ex", "exs"), opens="#"),
    Language(name="erlang", suffixes=("erl", "hrl"), opens="%"),
    Language(name="fsharp", suffixes=("fs", "fsx"), opens="//"),
    Language(name="graphql", suffixes=("graphql", "gql"), opens="#"),
    Language(name="groovy", suffixes=("groovy", "gradle"), files=("jenkinsfile",), opens="//"),
    Language(name="haskell", suffixes=("hs",), opens="--"),
    Language(
        name="ini",
        suffixes=("ini", "cfg", "conf", "properties", "env"),
        files=(".editorconfig", ".gitignore", ".gitattributes", ".dockerignore", ".env"),
        opens="#",
    ),
    Language(name="julia", suffixes=("jl",), opens="#"),
    Language(name="less", suffixes=("less",), opens="//"),
    Language(name="lua", suffixes=("lua",), opens="--"),
    Language(
        name="makefile",
        suffixes=("mk", "make"),
        files=("makefile", "gnumakefile", "justfile"),
        opens="#",
    ),
    Language(name="nix", suffixes=("nix",), opens="#"),
    Language(name="objective-c", suffixes=("m", "mm"), opens="//"),
    Language(name="ocaml", suffixes=("ml", "mli"), opens="(*", closes="*)"),
    Language(name="perl", suffixes=("pl", "pm"), opens="#"),
    Language(name="powershell", suffixes=("ps1", "psm1"), opens="#"),
    Language(name="protobuf", suffixes=("proto",), opens="//"),
    Language(name="r", suffixes=("r",), opens="#"),
    Language(name="scss", suffixes=("scss", "sass"), opens="//"),
    Language(name="sql", suffixes=("sql",), opens="--"),
    Language(name="svelte", suffixes=("svelte",), opens="<!--", closes="-->"),
    Language(name="terraform", suffixes=("tf", "tfvars", "hcl"), opens="#"),
    Language(name="vue", suffixes=("vue",), opens="<!--", closes="-->"),
    Language(
        name="xml",
        suffixes=("xml", "xsd", "xsl", "svg", "plist", "csproj", "props", "targets"),
        opens="<!--",
        closes="-->",
        is_prose=True,
    ),
    Language(name="zig", suffixes=("zig",), opens="//"),
    Language(
        name="lock",
        suffixes=("lock",),
        files=("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum"),
        is_generated=True,
    ),
    Language(name="source map", suffixes=("map",), is_generated=True),
)
_BY_NAME: Final = {language.name: language for language in _LANGUAGES}
#: All that are known, by name.
LANGUAGES: Final = tuple(_BY_NAME)
_BY_SUFFIX: Final = {suffix: each.name for each in _LANGUAGES for suffix in each.suffixes}
_BY_FILE: Final = {file: each.name for each in _LANGUAGES for file in each.files}
