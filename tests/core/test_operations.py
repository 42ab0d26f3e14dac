from collections.abc import Callable, Coroutine, Generator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import attrs
import pytest
from attrs import frozen

from rove_core.errors import LoginRefused, PluginFailed, WrongCall
from rove_core.operations import Failure, Operation, Operations, finish, published_schemas
from rove_core.safety.secret import Secret
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.project.project import Project

ROVE = cast("Project", "the project")


@frozen
class Evidence:
    """What shows it."""

    tests: tuple[str, ...] = ()


@frozen
class Criterion:
    """One thing to be true."""

    id: str
    status: Literal["verified", "failed"]
    evidence: Evidence | None
    seen_by: str


async def ac_verify(
    rove: "Project",
    *,
    criterion_id: str,
    status: Literal["verified", "failed"],
    evidence: Evidence | None = None,
    limit: Annotated[int, "How many at most."] = 3,
) -> Criterion:
    """Mark a criterion as verified or failed.

    It is not undone.

    Args:
        rove: The project.
        criterion_id: Which one.
        status: What was found.
        evidence: What shows it.
        limit: Said better beside its type.
    """
    assert limit > 0
    return Criterion(criterion_id, status, evidence, seen_by=str(rove))


async def waits(_rove: "Project") -> None:
    """Wait for somebody."""
    await Pause()


class Pause:
    def __await__(self) -> Generator[None, None, None]:
        yield


VERIFY = Operation(ac_verify, changes=True)


def called(arguments: Mapping[str, JSON]) -> JSON:
    """Return what the operation answers."""
    return finish(VERIFY.call(ROVE, arguments))


def test_an_operation_is_what_its_function_says() -> None:
    """Name, command, title and description come from the function."""
    assert VERIFY.name == "ac_verify"
    assert VERIFY.command == "ac-verify"
    assert VERIFY.title == "Mark a criterion as verified or failed."
    assert VERIFY.description == f"{VERIFY.title}\n\nIt is not undone."
    assert VERIFY.returns is Criterion


def test_parameters_are_ready_for_a_door() -> None:
    """Types come without Annotated, help from it or from the docstring."""
    told = [(one.name, one.type, one.required, one.default, one.help) for one in VERIFY.parameters]

    assert told == [
        ("criterion_id", str, True, attrs.NOTHING, "Which one."),
        ("status", Literal["verified", "failed"], True, attrs.NOTHING, "What was found."),
        ("evidence", Evidence | None, False, None, "What shows it."),
        ("limit", int, False, 3, "How many at most."),
    ]


def test_a_call_takes_and_gives_json() -> None:
    """Arguments become typed values, the result plain data."""
    answer = called({"criterion_id": "1", "status": "failed", "evidence": {"tests": ["a"]}})

    assert answer == {
        "id": "1",
        "status": "failed",
        "evidence": {"tests": ["a"]},
        "seen_by": "the project",
    }


def test_a_run_gives_the_result_itself() -> None:
    """A door that shows results to people gets them typed."""
    result = finish(VERIFY.run(ROVE, {"criterion_id": "1", "status": "failed"}))

    assert Criterion("1", "failed", None, "the project") == result


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "criterion_id: missing, expected text; status: missing, expected one of"),
        (
            {"criterion_id": "1", "status": "failed", "limt": 1},
            "no such argument: limt; did you mean 'limit'?",
        ),
        ({"criterion_id": 7, "status": "failed"}, "criterion_id: expected text, got a number (7)"),
        (
            {"criterion_id": "1", "status": "failed", "evidence": {"tests": ["a", 3]}},
            "evidence.tests[1]: expected text, got a number (3)",
        ),
        (
            {"criterion_id": "1", "status": "failed", "limit": None},
            "limit: expected a whole number, got null",
        ),
    ],
)
def test_a_wrong_call_is_refused(arguments: Mapping[str, JSON], message: str) -> None:
    """The error names operation, argument, value and what is expected, and the way to help."""
    with pytest.raises(WrongCall) as caught:
        called(arguments)

    assert caught.value.message.startswith(f"ac_verify: {message}")
    assert caught.value.hint == "See usage: rove ac-verify --help"


async def no_docstring(_rove: "Project") -> None: ...  # noqa: D103  # it is what is refused


async def no_result(_rove: "Project"):  # type: ignore[no-untyped-def]  # noqa: ANN201  # it is what is refused
    """Do it."""


async def no_project() -> None:
    """Do it."""


async def all_keywords(*, _rove: "Project") -> None:
    """Do it."""


async def positional(_rove: "Project", name: str) -> None:
    """Do it."""


async def untyped(_rove: "Project", *, name) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001  # it is what is refused
    """Do it."""


async def clashing(_rove: "Project", *, json: bool = False) -> None:
    """Do it."""


async def secret(_rove: "Project") -> Secret:
    """Do it."""
    return Secret("x")


async def needy(_rove: "Project", *, name: str) -> None:
    """Do it."""


def synchronous(_rove: "Project") -> None:
    """Do it."""


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (no_docstring, "no_docstring has no docstring: its first line is its title"),
        (no_result, "no_result has no return type"),
        (no_project, "no_project needs a first parameter: the project that Rove gives"),
        (all_keywords, "all_keywords needs a first parameter"),
        (positional, "positional: name must be keyword-only"),
        (untyped, "untyped: name has no type"),
        (clashing, "clashing: --json is reserved by the command line"),
        (synchronous, "synchronous is not an async function"),
    ],
)
def test_a_function_that_cannot_be_an_operation_is_refused(
    function: Callable[..., Coroutine[Any, Any, object]], message: str
) -> None:
    """The mistake is told when the operation is made, not when it is called."""
    with pytest.raises(TypeError, match=message):
        Operation(function)


def test_types_that_cannot_cross_an_edge_are_refused() -> None:
    """They are looked at when a schema is first asked for: when a plugin is loaded."""
    operation = Operation(secret)

    with pytest.raises(TypeError, match="Secret is not allowed here"):
        operation.output_schema()


def test_a_schedule_needs_a_duration() -> None:
    """``every`` is a time as settings write it."""
    with pytest.raises(TypeError, match=r"waits: every='soon' is not a duration like 30s"):
        Operation(waits, every="soon")


def test_a_schedule_needs_no_arguments() -> None:
    """Nobody is there to give them."""
    with pytest.raises(TypeError, match="needy runs on a schedule: name needs a default"):
        Operation(needy, every="6h")


def test_what_waits_cannot_be_finished() -> None:
    """Without an event loop nothing can be waited for."""
    with pytest.raises(RuntimeError, match=r"Operation\.call is asynchronous"):
        finish(Operation(waits, every="6h").call(ROVE, {}))


def test_what_raises_raises_from_finish() -> None:
    """An error inside comes out as it is."""

    async def fails() -> None:
        raise KeyError

    waiting: Coroutine[Any, Any, None] = fails()
    with pytest.raises(KeyError):
        finish(waiting)


def test_operations_come_in_the_order_of_their_names() -> None:
    """Whoever was added first."""
    operations = Operations()
    operations.add(Operation(waits), "rove-b")
    operations.add(VERIFY, "rove-a")

    assert [operation.name for operation in operations] == ["ac_verify", "waits"]
    assert len(operations) == 2
    assert operations["ac_verify"] is VERIFY
    assert "ac_verify" in operations


@pytest.mark.parametrize("operation", [VERIFY, Operation(waits, command="ac-verify")])
def test_a_name_is_taken_once(operation: Operation) -> None:
    """A second one of a name, or of a command, is refused and both distributions are named."""
    operations = Operations()
    operations.add(VERIFY, "rove-a")

    with pytest.raises(
        PluginFailed, match=r"rove-b provides the operation '.*' that rove-a already"
    ):
        operations.add(operation, "rove-b")


def test_an_unknown_name_is_a_wrong_call() -> None:
    """The nearest name is offered."""
    operations = Operations()
    operations.add(VERIFY, "rove-a")

    with pytest.raises(WrongCall, match=r"no such operation: ac_verfy; did you mean 'ac_verify'\?"):
        operations["ac_verfy"]


def test_a_failure_tells_what_every_door_tells() -> None:
    """Code, message, hint and page."""
    failure = Failure.of(LoginRefused("jira says 401"))

    assert failure == Failure(
        "ROVE-AUTH-002",
        "jira says 401",
        "Log in again with: rove --add-source KIND",
        "rove help ROVE-AUTH-002",
    )


def test_the_published_schemas_are_always_in_one_order() -> None:
    """Errors first, then two files for each operation, by name."""
    schemas = published_schemas([Operation(waits), VERIFY])

    assert [*schemas] == [
        "error.json",
        "ac_verify.input.json",
        "ac_verify.output.json",
        "waits.input.json",
        "waits.output.json",
    ]
    assert schemas["ac_verify.input.json"] == VERIFY.input_schema()
    assert schemas["ac_verify.output.json"] == VERIFY.output_schema()


def test_what_only_a_person_may_give_is_on_no_wire() -> None:
    """A door for people takes it; a wire does not know it, and says where it can be given."""

    async def look(_rove: "Project", *, at: str = "here", beyond: str = "") -> str:
        """Look at something."""
        return f"{at}{beyond}"

    operation = Operation(look, for_people=("beyond",))
    arguments = {"beyond": " and there"}

    assert finish(operation.run(ROVE, arguments)) == "here and there"
    assert "beyond" not in str(operation.input_schema())
    with pytest.raises(WrongCall, match="look: beyond can only be used at a terminal"):
        finish(operation.call(ROVE, arguments))
