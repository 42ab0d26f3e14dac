"""Operations: typed async functions behind every interface."""

import inspect
import sys
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import takewhile
from types import SimpleNamespace
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    Protocol,
    TypeVar,
    cast,
    get_type_hints,
    runtime_checkable,
)

import attrs
from attrs import field, frozen

from rove_core.errors import EXPECTED, InternalError, NotFound, PluginFailed, RoveError, WrongCall
from rove_core.wire.json_types import JSON
from rove_core.wire.parameters import Parameter, described, needs_no_check, without_help

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject
    from rove_core.tasks.task_groups import TaskGroup
    from rove_core.wire.schema import Schema

_Result = TypeVar("_Result")

#: The exit code of a result that is there, but not whole.
PARTIAL: Final = 5

_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
#: Options that every command has.
_TAKEN: Final = frozenset({"help", "json"})
_UNITS: Final = "smhd"
_SECTIONS: Final = frozenset({"Args:", "Returns:", "Raises:", "Yields:", "Example:"})


# Each command builds this class, and its cached property takes longer with slots.
@frozen(eq=False, repr=False, slots=False)
class Operation:
    """One thing that Rove can do. The command line, HTTP and MCP are doors to it.

    Attributes:
        function: ``async def name(rove: Project, *, ...)``: the first parameter is what Rove
            gives, the others are what crosses the wire.
        returns: The type of its result.
        parameters: What crosses the wire, in the order of the function.
        changes: Whether it changes anything; what does not may be called again at will.
        destroys: Whether it may remove what cannot be made again; agents ask before they call it.
        command: How the command line names it (``sources list``).
        group: What the commands that begin with the same word are for, as ``rove --help`` lists
            them (``Plan work, and see what is ready.``); one operation of a package says it.
        every: How often the project's server runs it unasked (``30s``, ``6h``), without
            arguments; None when only on request.
        toolset: The group in which agents find it.
        show: How the command line prints a result that cannot say it itself (see
            :class:`Outcome`), such as a tuple or a text; as JSON when None.
        is_missing: Whether a result, given the arguments, means that nothing was found; the
            command then prints the result and ends with 3. Never unless given.
        offline: Whether it reads only what lies on this machine and never waits, so that it
            can be run with :func:`finish`.
        terminal_only: Whether only a person may do it: no agent is offered it, on no wire.
        for_people: The parameters that only a person may give: on a wire there are none such.
        project: What its project must be: ``open``, with its accounts connected; ``closed``, as
            it lies on this machine; ``broken`` if it works even where folders are not as Rove
            needs them.
        parts: How a call becomes tasks that are done one by one; None when it is one task.
        bare: The parameter that the command line takes without an option though it has a default.
        stdin: The parameter that the command line reads from standard input when it is ``-``.
        served: Whether the command line lets a running server do it, where what it needs is open.
        here: The parameter that then says in which checkout somebody is.
        verbatim: Whether it prints code or a file, whose lines stay whole on a narrow terminal.
        door: Whether it is a door itself: in a closed project it speaks a protocol on the
            standard streams, and calls other operations by ``rove.client``; in an open one it
            prints what is needed while it runs.
    """

    function: Callable[..., Coroutine[Any, Any, object]] = field()
    changes: bool = field(default=False, kw_only=True)
    destroys: bool = field(default=False, kw_only=True)
    command: str = field(kw_only=True)
    group: str = field(default="", kw_only=True)
    every: str | None = field(default=None, kw_only=True)
    toolset: str = field(default="", kw_only=True)
    show: Callable[[Any], str] | None = field(default=None, kw_only=True)
    is_missing: Callable[[Any, Mapping[str, JSON]], bool] | None = field(default=None, kw_only=True)
    offline: bool = field(default=False, kw_only=True)
    terminal_only: bool = field(default=False, kw_only=True)
    for_people: Collection[str] = field(default=(), kw_only=True)
    project: Literal["open", "closed", "broken"] = field(default="open", kw_only=True)
    parts: "TaskGroup | None" = field(default=None, kw_only=True)
    bare: str = field(default="", kw_only=True)
    stdin: str = field(default="", kw_only=True)
    served: bool = field(default=False, kw_only=True)
    here: str = field(default="", kw_only=True)
    verbatim: bool = field(default=False, kw_only=True)
    door: bool = field(default=False, kw_only=True)
    returns: object = field(init=False, eq=False, repr=False)
    parameters: tuple[Parameter, ...] = field(init=False, eq=False, repr=False)

    @command.default
    def _its_name_with_dashes(self) -> str:
        return self.name.replace("_", "-")

    @returns.default
    def _of_function(self) -> object:
        return _returns(self.function)

    @parameters.default
    def _keyword_only(self) -> tuple[Parameter, ...]:
        return _parameters(self.function)

    def __repr__(self) -> str:
        """Return the operation's name."""
        return f"<{type(self).__name__} {self.name}>"

    def __attrs_post_init__(self) -> None:
        if not self.title:
            raise TypeError(f"{self.name} has no docstring: its first line is its title")
        if self.every is not None:
            self._check_schedule(self.every)

    @property
    def name(self) -> str:
        """Its name on every wire."""
        return self.function.__name__

    @property
    def title(self) -> str:
        """Its title, one line."""
        return _doc(self.function).partition("\n")[0]

    @property
    def description(self) -> str:
        """Its full description."""
        lines = _doc(self.function).splitlines()
        return "\n".join(takewhile(lambda line: line not in _SECTIONS, lines)).strip()

    def input_schema(self) -> "Schema":
        """Return the JSON Schema of its arguments."""
        return self._schemas[0]

    def output_schema(self) -> "Schema":
        """Return the JSON Schema of its result."""
        return self._schemas[1]

    def check(self, arguments: Mapping[str, JSON]) -> None:
        """Raise :class:`WrongCall` unless the arguments fit, and may come over a wire."""
        self._check_sender(arguments)
        self._check_arguments(arguments)

    async def run(self, rove: "LocalProject", arguments: Mapping[str, JSON]) -> object:
        """Check the arguments strictly, do it, and return the result as the function made it.

        Args:
            rove: The project; it is open and connected, unless the operation works offline or
                asks for another (see :attr:`project`).
            arguments: By name, as plain JSON data.
        """
        return await self.function(rove, **self._check_arguments(arguments))

    async def call(self, rove: "LocalProject", arguments: Mapping[str, JSON]) -> JSON:
        """Do the same as :meth:`run` for a wire, and return the result as plain JSON data."""
        from rove_core.wire.structure import to_json  # noqa: PLC0415  # whoever runs it may not need it

        self._check_sender(arguments)
        return to_json(await self.run(rove, arguments))

    def exit_code(self, result: object, arguments: Mapping[str, JSON]) -> int:
        """Return the exit code of the command line for a result."""
        if self.is_missing and self.is_missing(result, arguments):
            return NotFound.exit_code
        return outcome_of(result).exit_code

    @cached_property
    def _schemas(self) -> "tuple[Schema, Schema]":
        from rove_core.wire.schema import input_schema, output_schema  # noqa: PLC0415  # see _check_arguments

        offered = [each for each in self.parameters if each.name not in self.for_people]
        return input_schema(offered), output_schema(self.returns)

    def _check_sender(self, arguments: Mapping[str, JSON]) -> None:
        if refused := [name for name in self.for_people if name in arguments]:
            what = f"{self.name}: {', '.join(refused)} can only be used at a terminal"
            raise WrongCall(what, hint=f"See usage: rove {self.command} --help")

    def _check_arguments(self, arguments: Mapping[str, JSON]) -> Mapping[str, object]:
        parameters = {parameter.name: parameter for parameter in self.parameters}
        required = {name for name, parameter in parameters.items() if parameter.required}
        if required <= arguments.keys() <= parameters.keys() and all(
            needs_no_check(parameters[name].type, value) for name, value in arguments.items()
        ):
            return arguments
        # Quick commands take text or nothing, and what checks all else takes its time to load.
        from rove_core.wire.structure import STRICT, WrongShape  # noqa: PLC0415  # see above
        from rove_core.wire.type_shapes import expectation, shape_of  # noqa: PLC0415  # see above

        problems = [
            f"no such argument: {name}{_did_you_mean(name, parameters)}"
            for name in arguments
            if name not in parameters
        ]
        checked = {}
        for name, parameter in parameters.items():
            if name in arguments:
                try:
                    checked[name] = STRICT.structure(arguments[name], parameter.type)
                except WrongShape as error:
                    problems += [str(problem.below(name)) for problem in error.problems]
            elif parameter.required:
                problems.append(
                    f"{name}: missing, expected {expectation(shape_of(parameter.type))}"
                )
        if problems:
            hint = f"{EXPECTED}rove {self.command} --help"
            raise WrongCall(f"{self.name}: {'; '.join(problems)}", hint=hint)
        return checked

    def _check_schedule(self, every: str) -> None:
        if not _is_duration(every):
            raise TypeError(
                f"{self.name}: every={every!r} is not a duration like 30s, 15m, 6h or 1d"
            )
        if self.terminal_only:
            raise TypeError(f"{self.name} is for a person: it cannot run on a schedule")
        for parameter in self.parameters:
            if parameter.required:
                raise TypeError(f"{self.name} runs on a schedule: {parameter.name} needs a default")


def _is_duration(text: str) -> bool:
    number = text[:-1]
    is_number = number.isascii() and number.isdecimal() and not number.startswith("0")
    return is_number and text[-1] in _UNITS


class Operations:
    """All that Rove can do here, by name: its own operations and those of its plugins."""

    def __init__(self) -> None:
        self._all: dict[str, tuple[Operation, str]] = {}

    def add(self, operation: Operation, distribution: str) -> None:
        """Add an operation, or raise :class:`PluginFailed` if its name or command is taken.

        Args:
            operation: What it is.
            distribution: Which distribution brings it (``rove-memory``).
        """
        for other, owner in self._all.values():
            taken = {other.name, other.command} & {operation.name, operation.command}
            if taken:
                what = f"the operation {min(taken)!r} that {owner} already provides"
                raise PluginFailed(f"{distribution} provides {what}")
        self._all[operation.name] = operation, distribution

    def __getitem__(self, name: str) -> Operation:
        if name not in self._all:
            raise WrongCall(f"no such operation: {name}{_did_you_mean(name, self._all)}")
        return self._all[name][0]

    def __contains__(self, name: object) -> bool:
        return name in self._all

    def __iter__(self) -> Iterator[Operation]:
        return (self._all[name][0] for name in sorted(self._all))

    def __len__(self) -> int:
        return len(self._all)


@frozen
class Failure:
    """An error as all interfaces report it.

    Attributes:
        code: Its stable code (``ROVE-AUTH-002``).
        message: What is wrong, and with what.
        hint: The next step.
        docs: The page that explains it.
        retry_at: From when on the same may work; None when nobody said so.
    """

    code: str
    message: str
    hint: str
    docs: str
    retry_at: datetime | None = None

    @classmethod
    def of(cls, error: RoveError) -> "Failure":
        """Return the report of an error."""
        return cls(error.code, error.message, error.hint, error.docs, error.retry_at)

    @property
    def exit_code(self) -> int:
        """The exit code of the command line for it."""
        return self._kind.exit_code

    def as_error(self) -> RoveError:
        """Return an error that all interfaces report in the same way."""
        error = self._kind(self.message, hint=self.hint)
        error.retry_at = self.retry_at
        return error

    @property
    def _kind(self) -> type[RoveError]:
        return next((kind for kind in _kinds(RoveError) if kind.code == self.code), InternalError)


@runtime_checkable
class Outcome(Protocol):
    """Display, exit code and failures of an operation's result.

    A result's class inherits it and overrides what differs; the command line and the task runner
    read nothing else of a result. None of it crosses the wire.
    """

    def show(self) -> str | None:
        """Return the result for people; None if the operation, or JSON, shows it."""
        return None

    @property
    def exit_code(self) -> int:
        """The exit code of the command line.

        A task is done with 0 and with 5, which is for a result that is not whole.
        """
        return 0

    @property
    def resume_at(self) -> datetime | None:
        """When a task can resume; None if nothing is left."""
        return None

    @property
    def failures(self) -> Sequence[Failure]:
        """Failures in order, printed on standard error."""
        return ()


class _Fine(Outcome):
    """The outcome of a result without one of its own."""


def outcome_of(result: object) -> Outcome:
    """Return the outcome that a result declares."""
    return result if isinstance(result, Outcome) else _Fine()


def finish(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run a coroutine that waits for nothing, without an event loop."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return cast("_Result", done.value)
    coroutine.close()
    name = getattr(coroutine, "__qualname__", "this")
    raise RuntimeError(f"{name} is asynchronous: run it in an event loop")


def published_schemas(operations: Iterable[Operation]) -> "Mapping[str, Schema]":
    """Return the schemas that the reference publishes, by file name."""
    from rove_core.wire.schema import output_schema  # noqa: PLC0415  # only the reference needs it

    schemas = {"error.json": output_schema(Failure)}
    for operation in sorted(operations, key=lambda one: one.name):
        schemas[f"{operation.name}.input.json"] = operation.input_schema()
        schemas[f"{operation.name}.output.json"] = operation.output_schema()
    return schemas


def _kinds(kind: type[RoveError]) -> Iterator[type[RoveError]]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds(below)


def _parameters(function: Callable[..., object]) -> tuple[Parameter, ...]:
    _, *rest = inspect.signature(function).parameters.values()
    hints = _types(function, [parameter.name for parameter in rest])
    helps = described(function.__doc__ or "", "Args")
    return tuple(_parameter(function.__name__, one, hints, helps) for one in rest)


def _parameter(
    function: str,
    parameter: inspect.Parameter,
    hints: Mapping[str, object],
    helps: Mapping[str, str],
) -> Parameter:
    name = parameter.name
    if parameter.kind is not parameter.KEYWORD_ONLY:
        raise TypeError(f"{function}: {name} must be keyword-only: put it after *")
    if name not in hints:
        raise TypeError(f"{function}: {name} has no type")
    if name in _TAKEN:
        raise TypeError(f"{function}: --{name} is reserved by the command line: rename it")
    bare, help_ = without_help(hints[name])
    required = parameter.default is parameter.empty
    default = attrs.NOTHING if required else parameter.default
    return Parameter(name, bare, required, default, help_ or helps.get(name, ""))


def _returns(function: Callable[..., object]) -> object:
    """Return the type of an operation's result, after a look at the function as a whole."""
    name = function.__name__
    if not inspect.iscoroutinefunction(function):
        raise TypeError(f"{name} is not an async function")
    first = next(iter(inspect.signature(function).parameters.values()), None)
    if first is None or first.kind not in _POSITIONAL:
        raise TypeError(f"{name} needs a first parameter: the project that Rove gives")
    try:
        return _types(function, ["return"])["return"]
    except KeyError:
        raise TypeError(f"{name} has no return type") from None


def _types(function: Callable[..., object], names: Sequence[str]) -> Mapping[str, object]:
    """Return some types of a function; that of the project is only there for a type checker."""
    plain = inspect.unwrap(function)
    annotations = {
        name: plain.__annotations__[name] for name in names if name in plain.__annotations__
    }
    owner = SimpleNamespace(__annotations__=annotations)
    return get_type_hints(owner, plain.__globals__, include_extras=True)


def _doc(function: Callable[..., object]) -> str:
    # Python -OO leaves out what is written in functions; nothing but help pages needs it.
    without = function.__name__ if sys.flags.optimize > 1 else ""
    return inspect.getdoc(function) or without


def _did_you_mean(name: str, names: Iterable[str]) -> str:
    from rove_core.terminal.suggestion import did_you_mean  # noqa: PLC0415  # only a mistake needs it

    return did_you_mean(name, names)
