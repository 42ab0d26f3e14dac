"""What a plugin may take, from the numbers that Rove keeps to."""

from docs_src.blocks.markdown import table
from rove_core.plugins import limits


def plugin_limits() -> str:
    """Return the table of limits."""
    rows = [
        ("One call", f"{limits.plugin_seconds():g} s", "the call is given up; what came is kept"),
        (
            "Holding the thread",
            f"{limits.plugin_seconds():g} s",
            "the process is ended, and the build done once more without the plugin",
        ),
        (
            "Memory of a process",
            f"{limits.plugin_memory() >> 20} MiB",
            "the same, unless there is enough left to go on (Linux)",
        ),
        ("Ending after a cancellation", f"{limits.GRACE:g} s", "the task is left behind"),
        (
            "`rove_recognise`, all calls of a build",
            f"{limits.MOST_SECONDS_RECOGNISING:g} s",
            "it is not called again in this build",
        ),
        (
            "`rove_filter_item`, all calls of a build",
            f"{limits.MOST_SECONDS_FILTERING:g} s",
            "nothing passes any more in this build",
        ),
        ("References in one text", _count(limits.MOST_REFERENCES), "cut"),
        ("References in one build", _count(limits.MOST_REFERENCES_OF_BUILD), "cut"),
        (
            "Characters of an item, its discussion included",
            _count(limits.MOST_TEXT),
            f"cut; what a search brings, at {_count(limits.MOST_TEXT_OF_HIT)}",
        ),
        ("Replies below an item", _count(limits.MOST_PARTS), "cut"),
        ("Replies to replies", f"{limits.MOST_DEPTH} levels", "cut"),
        ("Links of an item, and of each reply", _count(limits.MOST_LINKS), "cut"),
        ("Values in `metadata`, or in one fact", _count(limits.MOST_VALUES), "refused"),
        ("Sections of one plugin", _count(limits.MOST_SECTIONS), "cut"),
        (
            "Tokens of all sections",
            "a quarter of the document",
            "cut; plugins that need less leave the rest to the others",
        ),
    ]
    return table(("What", "At most", "What is more"), rows)


def _count(number: int) -> str:
    return f"{number:,}"
