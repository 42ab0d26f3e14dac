"""Turn text from outside into harmless Markdown: the only way in."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.safety.text.characters import clean as clean
    from rove_core.safety.text.literal import escape_markdown as escape_markdown
    from rove_core.safety.text.markdown import code_block as code_block
    from rove_core.safety.text.markdown import file_stem as file_stem
    from rove_core.safety.text.markdown import one_line as one_line
    from rove_core.safety.text.markdown import prose as prose
    from rove_core.safety.text.markdown import quote as quote
else:
    from rove_core._lazy import lazy

    # Whoever notes something needs clean characters, and no Markdown.
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "characters": ("clean",),
            "literal": ("escape_markdown",),
            "markdown": ("code_block", "file_stem", "one_line", "prose", "quote"),
        },
    )
