"""The operations and routes of a project that a worker has open."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

import attrs

from rove import __version__
from rove.operations import own_operations
from rove.server.commands import commands_route
from rove.server.openapi import openapi
from rove.server.views import OperationCall, TaskView, plain
from rove_core.errors import PluginFailed, WrongCall
from rove_core.http.server.door import (
    HttpRequest,
    HttpResponse,
    Route,
    json_body,
    json_reply,
    offered,
)
from rove_core.operations import Operation, Operations
from rove_core.plugins.entry_points import plugin_name
from rove_core.plugins.watchdog import SteppedCall
from rove_core.tasks.submission import submit
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import STRICT, WrongShape

if TYPE_CHECKING:
    from rove_core.project.project import Project

_CALL: Final = 'Send {"operation": NAME, "arguments": {...}}'


def operations_of(project: "Project") -> Operations:
    """Return all operations; those of plugins name their plugin while they run."""
    operations = Operations()
    for operation in own_operations():
        operations.add(operation, "rove")
    for plugin in project.plugins.working:
        for operation in plugin.operations:
            # Of two plugins that bring the same, the first has it: `rove doctor` names the other.
            with suppress(PluginFailed):
                shown = _with_owner(operation, plugin_name(plugin.distribution, plugin.name))
                operations.add(shown, plugin.distribution)
    return operations


def routes_of(project: "Project", operations: Operations) -> tuple[Route, ...]:
    """Return the routes of tasks and plugins."""
    plugins = (
        _shown_route(route, plugin_name(plugin.distribution, plugin.name))
        for plugin in project.plugins.working
        for route in plugin.routes
    )
    others = tuple(plugins)
    own = (
        _task_route(operations),
        commands_route(operations),
        _description_route(operations, others),
    )
    return (*own, *others)


def _task_route(operations: Operations) -> Route:
    async def submitted(request: HttpRequest, rove: "Project") -> HttpResponse:
        call = _call(json_body(request))
        operation = offered(operations, call.operation)
        if operation.parts:
            operation.parts.check(rove)
        tasks = await submit(rove.store, operation, call.arguments)
        return json_reply(202, [plain(TaskView.of(task)) for task in tasks])

    return Route("POST", "/tasks", submitted, "Run an operation as a task.")


def _call(body: Mapping[str, JSON]) -> OperationCall:
    """Return the operation call in a request body."""
    try:
        return STRICT.structure(body, OperationCall)
    except WrongShape as error:
        raise WrongCall(f"no call of an operation: {error}", hint=_CALL) from error


def _description_route(operations: Operations, routes: Sequence[Route]) -> Route:
    async def described(_request: HttpRequest, _rove: "Project") -> HttpResponse:
        return json_reply(200, openapi(operations, routes, version=__version__))

    return Route("GET", "/openapi.json", described, "Describe all of this as OpenAPI.")


def _with_owner(operation: Operation, owner: str) -> Operation:
    @wraps(operation.function)
    async def function(rove: "Project", **arguments: Any) -> object:  # noqa: ANN401  # of any
        return await SteppedCall(
            owner, lambda: operation.function(rove, **arguments), operation.name
        )

    return attrs.evolve(operation, function=function)


def _shown_route(route: Route, owner: str) -> Route:
    async def answer(request: HttpRequest, rove: "Project") -> HttpResponse:
        return await SteppedCall(owner, lambda: route.answer(request, rove))

    return attrs.evolve(route, answer=answer)
