"""Messages about linked folders, with the published wording."""

from typing import TYPE_CHECKING, Final

from rove_folder.files.kinds import FileKind, most_bytes

if TYPE_CHECKING:
    from rove_folder.settings import Tier

DENIED: Final = "Access denied"
PAUSED: Final = "Indexing paused — quota exhausted"


def too_big(tier: "Tier", most: int) -> str:
    """Say that a folder has more files than a plan allows."""
    return f"Folder too big for {tier.capitalize()} plan — max {most} files"


def beyond_setting(most: int) -> str:
    """Say that a folder has more files than the settings allow."""
    return f"Folder too big: folder.max_files allows {most} files"


def too_large(kind: FileKind) -> str:
    """Say that a file has more bytes than are read."""
    what = "Image larger" if kind == "image" else "Larger"
    return f"{what} than {most_bytes(kind) >> 20} MB"


def exhausted(date: str) -> str:
    """Say that a month's tokens are spent, and when the next month's begin."""
    return f"Monthly token budget exhausted (resets {date})"


def folder_gone(path: str) -> str:
    """Say that a linked folder is no longer there."""
    return f"Folder not found: {path}"


def closed(path: str) -> str:
    """Say that the user may not read a file or folder."""
    return f"Permission denied: {path}"


def not_linked(project: str) -> str:
    """Say that a project has no folder."""
    return f"No folder linked to project {project}"


def file_gone(path: str) -> str:
    """Say that a folder has no such file."""
    return f"File not found: {path}"


def projects_omitted(count: int) -> str:
    """Say how many projects a list leaves out, and how to see them."""
    return f"… {count} more projects omitted, use list_projects_with_folder_manifests"


def omitted(count: int) -> str:
    """Say how many files a manifest leaves out, and how to read them."""
    return f"… {count} more files omitted, use read_project_folder_file to access by path"
