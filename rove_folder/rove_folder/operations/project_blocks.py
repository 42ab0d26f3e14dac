"""The linked folders of several projects, as text."""

from collections.abc import Sequence
from typing import Final

from rove_core import estimated_tokens
from rove_folder import phrases
from rove_folder.manifest import CLOSING, MOST_TOKENS, OPENING, WIDTHS, manifest_line, plain_name
from rove_folder.operations.wire import AgentProject
from rove_folder.project_folder import RELINK

_NONE: Final = "No folder is linked. Link one with: rove folder link FOLDER"


def project_blocks(projects: Sequence[AgentProject], *, most: int = MOST_TOKENS) -> str:
    """Return a block for each project with its newest files, within a number of tokens.

    Summaries are shortened first; then the last projects are left out, and the end says so.
    """
    if not projects:
        return _NONE
    blocks: list[str] = []
    for width in WIDTHS:
        blocks = [_block(each, width) for each in projects]
        if sum(map(_tokens, blocks)) <= most:
            return "\n".join(blocks)
    room = most - _tokens(phrases.projects_omitted(len(blocks)))
    head: list[str] = []
    for block in blocks:
        room -= _tokens(block)
        if room < 0:
            break
        head.append(block)
    return "\n".join([*head, phrases.projects_omitted(len(blocks) - len(head))])


def _block(project: AgentProject, width: int) -> str:
    scanned = f"{project.lastScannedAt:%Y-%m-%d %H:%M} UTC" if project.lastScannedAt else "never"
    lines = [OPENING, f"project: {plain_name(project.projectName)} ({project.projectId})"]
    if project.error:
        lines += [plain_name(project.error), RELINK]
    else:
        lines += [
            f"path: {plain_name(project.folderPath or '')} (scanned {scanned})",
            "newest files:",
        ]
        lines += [
            manifest_line(each.relPath, each.kind, each.summary, width) for each in project.files
        ]
    return "\n".join([*lines, CLOSING])


def _tokens(block: str) -> int:
    return estimated_tokens(f"{block}\n")
