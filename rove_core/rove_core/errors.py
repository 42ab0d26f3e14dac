"""Every error Rove raises on purpose, arranged by what its reader should do.

::

    RoveError
    ├── RetryLater              nothing is wrong here; the same call may work later
    │   ├── Unavailable         ROVE-NET-001   the vendor cannot be reached or fails
    │   ├── TimedOut            ROVE-NET-002   no answer before the deadline
    │   ├── RateLimited         ROVE-NET-003   the vendor asks to wait
    │   ├── Locked              ROVE-LOCK-001  another process holds what this one needs
    │   │   └── AlreadyRunning  ROVE-LOCK-003  another task is changing the same thing
    │   └── ServerTrouble       ROVE-LOCK-002  the server does not start, or does not answer
    ├── LoginNeeded             log in again
    │   ├── NotLoggedIn         ROVE-AUTH-001  there is no login
    │   ├── LoginRefused        ROVE-AUTH-002  the vendor does not take it
    │   ├── ScopeMissing        ROVE-AUTH-003  it does not allow this
    │   └── CredentialsCorrupt  ROVE-AUTH-004  the stored logins cannot be read
    ├── FixSettings             change a setting, a file or the machine
    │   ├── WrongSetting        ROVE-SET-001   a key, a type, a value, bad TOML
    │   ├── UnsafePlace         ROVE-SET-002   a folder that is a link or another user's
    │   ├── UnknownAccount      ROVE-SET-003   no such account, or not in use here
    │   ├── KeychainUnusable    ROVE-SET-004   the chosen credential store does not work
    │   ├── StoreUnusable       ROVE-SET-005   the database is newer, damaged or not writable
    │   ├── DiskTrouble         ROVE-SET-006   a file cannot be written or read
    │   ├── RepositoryUnusable  ROVE-CODE-003  git cannot, or may not, read it
    │   ├── RepositoryRefused   ROVE-CODE-004  nobody has allowed to read it from here
    │   └── QuotaExceeded       ROVE-FOLDER-001  a folder or a month is over its limit
    ├── WrongCall               ROVE-USE-001   the arguments do not fit
    │   ├── ConsentNeeded       ROVE-USE-002   it is done only if a person agrees
    │   └── Conflict            ROVE-USE-003   changed since it was read
    ├── NotFound                nothing to be done: it is not there
    │   ├── ItemNotFound        ROVE-ITEM-001  not at the source, or not visible to this account
    │   ├── DocumentNotFound    ROVE-ITEM-002  no document for this ticket
    │   ├── RepositoryNotFound  ROVE-CODE-001  no folder that code could be read from
    │   ├── RevisionNotFound    ROVE-CODE-002  no such commit, tag or branch
    │   ├── FolderNotLinked     ROVE-FOLDER-002  the project has no linked folder
    │   └── NoCodeFound         ROVE-CODE-005  nothing in the code fits the question
    └── ReportBug               tell the author
        ├── PluginFailed        ROVE-PLUG-001  a plugin raised or broke the contract
        ├── MalformedReply      ROVE-NET-004   the vendor sent what cannot be read
        └── InternalError       ROVE-BUG-001   Rove itself
"""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar, Final

from rove_core.wire.json_types import JSON


class RoveError(Exception):
    """Base of all Rove errors: a code, a message with the value, and a next step."""

    code: ClassVar[str] = ""
    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    #: The next step, unless whoever raises it knows a better one.
    advice: ClassVar[str] = ""
    #: From when on the same call may work, if somebody said so.
    retry_at: datetime | None = None

    def __init__(self, message: str, *, hint: str = "", account: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint or self.advice
        self.account = account

    @property
    def docs(self) -> str:
        """The command that explains the error."""
        return f"rove help {self.code}"


class RetryLater(RoveError):
    """Nothing is wrong here; the same call may work later.

    ``maybe_done`` is true when the vendor may have done what the request asked for, although no
    good reply came: read the item again before you repeat a change.
    """

    http_status = 503
    maybe_done: bool = False


class Unavailable(RetryLater):
    """The vendor cannot be reached, or fails."""

    code = "ROVE-NET-001"
    http_status = 502
    advice = "Try again in a moment; if it persists, check the vendor's status page and your proxy."


class TimedOut(RetryLater):
    """No answer came before the deadline."""

    code = "ROVE-NET-002"
    http_status = 504
    advice = "Try again; what arrived before the deadline is kept."


class RateLimited(RetryLater):
    """The vendor asks to wait.

    ``retry_at`` says until when, if the vendor said so; ``at_least`` for how many seconds if not.
    """

    code = "ROVE-NET-003"
    advice = "Wait until the limit is lifted; Rove retries by itself."

    def __init__(
        self,
        message: str,
        *,
        retry_at: datetime | None = None,
        at_least: float = 0.0,
        hint: str = "",
        account: str = "",
    ) -> None:
        super().__init__(message, hint=hint, account=account)
        self.retry_at = retry_at
        self.at_least = at_least


class Locked(RetryLater):
    """Another process holds what this one needs."""

    code = "ROVE-LOCK-001"
    exit_code = 6
    http_status = 409
    advice = "Wait for the other process to finish, or stop it."


class AlreadyRunning(Locked):
    """Another task is changing the same thing."""

    code = "ROVE-LOCK-003"
    advice = "Wait for it to finish: rove status"


class ServerTrouble(RetryLater):
    """The server of a project does not start, does not answer or does not end."""

    code = "ROVE-LOCK-002"
    exit_code = 6
    advice = "See the last lines of .rove/logs/error.log, or run without a server: ROVE_DAEMON=0"


class LoginNeeded(RoveError):
    """Log in again."""

    exit_code = 4
    http_status = 401


class NotLoggedIn(LoginNeeded):
    """There is no login for the account."""

    code = "ROVE-AUTH-001"
    advice = "Log in with: rove --add-source KIND"


class LoginRefused(LoginNeeded):
    """The vendor rejected the login."""

    code = "ROVE-AUTH-002"
    advice = "Log in again with: rove --add-source KIND"


class ScopeMissing(LoginNeeded):
    """The login lacks a permission."""

    code = "ROVE-AUTH-003"
    http_status = 403
    advice = "Log in again with a token that has the scopes named above."


class CredentialsCorrupt(LoginNeeded):
    """The stored logins cannot be read."""

    code = "ROVE-AUTH-004"
    advice = "Restore the file from a backup, or remove it and log in again: rove --add-source KIND"


class FixSettings(RoveError):
    """Change a setting, a file or the machine."""

    exit_code = 7
    http_status = 422


class WrongSetting(FixSettings):
    """A setting has a wrong key, type or value, or its file is not TOML."""

    code = "ROVE-SET-001"
    advice = "Fix the line named above; docs/reference/settings.md lists every key."


class UnsafePlace(FixSettings):
    """One of Rove's folders is a link, or belongs to another user."""

    code = "ROVE-SET-002"
    advice = "Remove it, or work in a folder of your own."


class UnknownAccount(FixSettings):
    """No such account, or it is not in use in this project."""

    code = "ROVE-SET-003"
    advice = "List them with: rove sources list"


class KeychainUnusable(FixSettings):
    """The credential store that the settings name does not work here."""

    code = "ROVE-SET-004"
    advice = 'Let Rove choose: set [credentials] backend = "auto".'


class StoreUnusable(FixSettings):
    """The project's database is newer than this Rove, damaged or not writable."""

    code = "ROVE-SET-005"
    advice = "It can be rebuilt: move .rove/index.db away and run the command again."


class DiskTrouble(FixSettings):
    """A file cannot be written or read."""

    code = "ROVE-SET-006"
    advice = "Free some space, or fix the permissions of the path named above."


class RepositoryUnusable(FixSettings):
    """Git cannot read a repository, or may not: it is damaged, or another user's."""

    code = "ROVE-CODE-003"
    advice = "Check it with: git -C FOLDER fsck"


class RepositoryRefused(FixSettings):
    """The caller may not read this repository."""

    code = "ROVE-CODE-004"
    http_status = 403
    advice = "Allow it in your own settings: [sources.code] also, or clone_from."


class QuotaExceeded(FixSettings):
    """A folder has too many files, or a month's tokens are spent."""

    code = "ROVE-FOLDER-001"
    http_status = 402
    advice = "Link a smaller folder, or change the limits in [folder]: rove settings"


#: How a hint begins that leads to what a command or a request takes; each door names its own.
EXPECTED: Final = "See usage: "


class WrongCall(RoveError):
    """The arguments do not fit."""

    code = "ROVE-USE-001"
    exit_code = 2
    http_status = 400
    advice = f"{EXPECTED}rove COMMAND --help"


class ConsentNeeded(WrongCall):
    """It is done only if a person agrees, and nobody has.

    ``notice`` lists what would be done; ``question`` is what to ask at a terminal; ``agreed``
    are the arguments that the call also needs once the person has agreed.
    """

    code = "ROVE-USE-002"
    advice = "To agree, add: --yes"

    def __init__(
        self,
        message: str,
        *,
        notice: str = "",
        question: str = "Continue?",
        agreed: Mapping[str, JSON] | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message, hint=hint)
        self.notice = notice
        self.question = question
        self.agreed = {"yes": True} if agreed is None else agreed


class Conflict(WrongCall):
    """Someone changed the item since it was read."""

    code = "ROVE-USE-003"
    exit_code = 1
    http_status = 409
    advice = "Read the item again, then repeat the change if it still makes sense."


class NotFound(RoveError):
    """It is not there."""

    exit_code = 3
    http_status = 404


class ItemNotFound(NotFound):
    """The item is not at its source, or this account may not see it."""

    code = "ROVE-ITEM-001"
    advice = "Check the id, and whether this account may read it: rove sources list"


class DocumentNotFound(NotFound):
    """There is no document for this ticket."""

    code = "ROVE-ITEM-002"
    advice = "Build it with: rove --ticket ID"


class FolderNotLinked(NotFound):
    """The project has no linked folder."""

    code = "ROVE-FOLDER-002"
    advice = "Link one with: rove folder link FOLDER"


class RepositoryNotFound(NotFound):
    """There is no folder that code could be read from."""

    code = "ROVE-CODE-001"
    advice = "Give an existing folder, or an address that git can clone."


class RevisionNotFound(NotFound):
    """The repository has no such commit, tag or branch."""

    code = "ROVE-CODE-002"
    advice = "List them with: git log --oneline --all"


class NoCodeFound(NotFound):
    """Nothing in the repository fits the question."""

    code = "ROVE-CODE-005"
    advice = "See what the repository declares with: rove code map"


class ReportBug(RoveError):
    """Somebody's code is wrong; report it to its author."""


class PluginFailed(ReportBug):
    """A plugin raised an unexpected error, or broke the contract."""

    code = "ROVE-PLUG-001"
    http_status = 502
    advice = "Report it to the plugin's author; see: rove --source-plugins"


class MalformedReply(ReportBug):
    """The vendor sent something that cannot be read."""

    code = "ROVE-NET-004"
    http_status = 502
    advice = (
        "Check for a proxy or login page in between; "
        "if there is none, report it to the plugin's author."
    )


class InternalError(ReportBug):
    """Rove itself is wrong."""

    code = "ROVE-BUG-001"
    advice = "Please report it, with the last lines of .rove/logs/error.log."
