"""``rove code token`` and ``rove code tokens``: let others ask the code server."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove_code.access import OWNER
from rove_code.project_code import placed
from rove_code.tokens import CodeToken, CodeTokens
from rove_core import NotFound, Operation, WrongCall, page

if TYPE_CHECKING:
    from rove_core import Project

_LONGEST: Final = 60
#: Steps of a path that name no folder, or another one than it seems.
_NO_STEPS: Final = frozenset({"", ".", ".."})


@frozen
class TokenRights:
    """Who has a token, and what they may read.

    Attributes:
        name: Who has it.
        repositories: The repositories that they may ask; all that the server may read if none.
        folders: The folders in them that they may see; everything if none.
    """

    name: str
    repositories: tuple[str, ...]
    folders: tuple[str, ...]


async def code_token(
    rove: "Project",
    *,
    name: Annotated[str, "Who it is for."],
    repository: Annotated[
        tuple[str, ...], "A repository that they may ask; default: all that is served."
    ] = (),
    folder: Annotated[
        tuple[str, ...], "A folder that they may see, relative to the repository; default: all."
    ] = (),
    revoke: Annotated[bool, "Take the token back."] = False,
) -> str:
    """Give somebody a token for rove code serve; a name's earlier token stops working.

    The token is printed once. It works for servers that run already.
    """
    tokens = CodeTokens.of(rove.places.rove)
    if revoke:
        if not tokens.revoke(name):
            raise NotFound(f"{name!r} has no token", hint="See who has one with: rove code tokens")
        return ""
    if not name.isprintable() or not 0 < len(name) <= _LONGEST or name == OWNER:
        raise WrongCall(f"{name!r} cannot be a name", hint=f"Give 1 to {_LONGEST} characters.")
    for each in folder:
        if not _NO_STEPS.isdisjoint(each.removesuffix("/").split("/")):
            raise WrongCall(
                f"{each!r} is not a folder in a repository", hint="Write it as src/shop."
            )
    where = [placed(rove.places.root, each) for each in repository]
    for place in where:
        if not place.is_dir():
            raise WrongCall(f"{place} is not a folder", hint="Name a repository that is served.")
    return tokens.give(CodeToken(name, tuple(map(str, where)), folder)).reveal()


async def code_tokens(rove: "Project") -> tuple[TokenRights, ...]:
    """List who has a token for rove code serve, and what they may read."""
    return tuple(
        TokenRights(each.name, each.repositories, each.folders)
        for each in CodeTokens.of(rove.places.rove).all().values()
    )


def _show_token(token: str) -> str:
    return page([token or "Revoked."])


def _listed(rights: tuple[TokenRights, ...]) -> str:
    return page(map(_line, rights)) or "No tokens. Create one with: rove code token NAME"


def _line(rights: TokenRights) -> str:
    where = ", ".join(rights.repositories) or "all repositories that are served"
    only = f", only {', '.join(rights.folders)}" if rights.folders else ""
    return f"{rights.name}: {where}{only}"


TOKEN_OPERATIONS: Final = (
    Operation(
        code_token,
        command="code token",
        changes=True,
        terminal_only=True,
        show=_show_token,
    ),
    Operation(code_tokens, command="code tokens", terminal_only=True, show=_listed),
)
