"""Check recorded traffic against the vendors' specifications.

They are not part of any package: a folder of them is named by whoever has it. It needs
``jsonschema``, which comes with ``rove-sim[checking]``. The schemas are taken as broadly as the
vendors' replies are: whatever may be there may also be null, and there may be more.
"""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import frozen

from rove_core import JSON
from rove_sim.routes import VendorRoute
from rove_sim.server import Request
from rove_sim.vendor import RecordedExchange

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

#: For each of Jira's routes the schema of what it takes and of what it gives.
_JIRA: Final[Mapping[str, tuple[str, str]]] = {
    "GET /rest/api/3/myself": ("GetCurrentUser", "UserDetails"),
    "GET /rest/api/3/serverInfo": ("", "ServerInformation"),
    "GET /rest/api/3/mypermissions": ("GetMyPermissions", "Permissions"),
    "GET /rest/api/3/project/search": ("SearchProjects", "PageProject"),
    "GET /rest/api/3/issue/{key}": ("GetIssue", "Issue"),
    "GET /rest/api/3/issue/{key}/comment": ("GetComments", "PageOfComments"),
    "GET /rest/api/3/issue/{key}/comment/{id}": ("GetComment", "Comment"),
    "GET /rest/api/3/issue/{key}/changelog": ("GetChangeLogs", "PageChangelog"),
    "GET /rest/api/3/issue/{key}/remotelink": ("GetRemoteIssueLinks", "RemoteIssueLink"),
    "GET /rest/api/3/user": ("GetUser", "UserDetails"),
    "GET /rest/api/3/attachment/content/{id}": ("GetAttachmentContent", ""),
    "GET /rest/api/3/search/jql": (
        "SearchAndReconsileIssuesUsingJql",
        "SearchAndReconcileResults",
    ),
    "POST /rest/api/3/search/jql": (
        "SearchAndReconsileIssuesUsingJqlPost",
        "SearchAndReconcileResults",
    ),
    "POST /rest/api/3/search/approximate-count": ("CountIssues", "JQLCountResults"),
    "POST /rest/api/3/issue/bulkfetch": ("BulkFetchIssues", "BulkIssueResults"),
    "POST /rest/api/3/issue": ("CreateIssue", "CreatedIssue"),
    "PUT /rest/api/3/issue/{key}": ("EditIssue", ""),
    "GET /rest/api/3/issue/{key}/editmeta": ("GetEditIssueMeta", "IssueUpdateMetadata"),
    "GET /rest/api/3/issue/{key}/transitions": ("GetTransitions", "Transitions"),
    "POST /rest/api/3/issue/{key}/transitions": ("DoTransition", ""),
    "POST /rest/api/3/issue/{key}/comment": ("AddComment", "Comment"),
    "POST /rest/api/3/issue/{key}/attachments": ("AddAttachment", "Attachment"),
    "PUT /rest/api/3/issue/{key}/comment/{id}": ("UpdateComment", "Comment"),
    "GET /rest/api/3/issue/createmeta/{project}/issuetypes": (
        "GetCreateIssueMetaIssueTypes",
        "PageOfCreateMetaIssueTypes",
    ),
}
#: What they leave out, though it is there: see ``search_exclude_bots`` in the vendor's own issues.
_UNDOCUMENTED: Final = frozenset({"search_exclude_bots"})
_GATEWAY: Final = "/ex/jira/{cloud}"
_PLACES: Final = {"key": "issueIdOrKey", "id": "id", "project": "projectIdOrKey"}


#: What they have wrong, as Slack's blocks are of many kinds: the style of a text is no word, as
#: that of a list is, and what stands in a context is not an object, as the text of a button is.
_MISTAKES: Final = {"AccessoryElement": "style", "Accessory": "text"}


@frozen
class Specifications:
    """A folder of the vendors' specifications."""

    folder: Path

    def jira(self, exchange: RecordedExchange) -> list[str]:
        """Return the problems of a request to Jira and its reply."""
        if exchange.route is None or not exchange.taken:
            return []
        name = f"{exchange.request.method} {exchange.route.path.removeprefix(_GATEWAY)}"
        takes, gives = _JIRA.get(name, ("", ""))
        return [
            *self._jira_request(name, takes, exchange),
            *self._jira_reply(name, gives, exchange),
        ]

    def slack(self, exchange: RecordedExchange) -> list[str]:
        """Return the problems of a call to Slack and its reply."""
        path = exchange.route.path if exchange.route else ""
        if not exchange.taken or not path.startswith("/api/"):
            return []
        method = path.removeprefix("/api/")
        taken, reply_schema = self._slack_schemas(method)
        properties = taken["properties"]
        arguments = {
            name: _sent(value, properties.get(name, {}))
            for name, value in exchange.values.items()
            if name not in _UNDOCUMENTED
        }
        problems = [f"{method}: takes no {name}" for name in arguments if name not in properties]
        problems += _problems(taken, {"token": "", **arguments}, f"{method} request")
        reply = exchange.response.value
        good = isinstance(reply, dict) and reply.get("ok")
        # Only the one kind of schema knows how errors are told.
        is_described = good or "definitions" in reply_schema
        return [
            *problems,
            *_problems(reply_schema if is_described else {}, reply, f"{method} reply"),
        ]

    def lacking(self, routes: Iterable[VendorRoute]) -> set[str]:
        """Return what nobody specifies of Jira's or Slack's routes."""
        lacking: set[str] = set()
        for route in routes:
            if route.path.startswith("/api/"):
                pair = self._slack_schemas(route.path.removeprefix("/api/"))
                schemas = ["x" if schema else "" for schema in pair]
            else:
                path = route.path.removeprefix(_GATEWAY)
                schemas = list(_JIRA.get(f"{route.method} {path}", ("", "")))
            for what, schema in zip(("request", "reply"), schemas, strict=True):
                lacking |= set() if schema else {f"{route.method} {route.path}: {what}"}
        return lacking

    def document_schema(self) -> Mapping[str, Any]:
        """Return the schema of Atlassian's document trees."""
        return _schema(self.folder / "adf-schema.full.json.gz")

    def _jira_request(self, name: str, schema: str, exchange: RecordedExchange) -> Iterator[str]:
        if not schema:
            return
        request = exchange.request
        arguments: Mapping[str, JSON] = (
            exchange.values if request.method == "GET" else _body(request)
        )
        places = {_PLACES[key]: value for key, value in exchange.path.items() if key in _PLACES}
        taken = _schema(self.folder / "jira-cloud-params.jsonschema.json.gz", schema)
        properties = taken["properties"]
        values = {
            key: _sent(each, properties.get(key, {}))
            for key, each in {**arguments, **places}.items()
        }
        yield from (f"{name}: takes no {key}" for key in values if key not in properties)
        yield from _problems(taken, values, f"{name} request")

    def _jira_reply(self, name: str, schema: str, exchange: RecordedExchange) -> Iterator[str]:
        reply = exchange.response.value
        if not schema or exchange.response.status not in {200, 201}:
            return
        reply_schema = _schema(self.folder / "jira-cloud-models.jsonschema.json.gz", schema)
        listed = (
            {"type": "array", "items": reply_schema} if isinstance(reply, list) else reply_schema
        )
        yield from _problems(listed, reply, f"{name} reply")
        for document in _documents(reply):
            yield from _problems(self.document_schema(), document, f"{name} document", strict=True)

    def _slack_schemas(self, method: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Return the schemas of what a method takes and gives; empty where there is none."""
        words = [part[:1].upper() + part[1:] for part in method.split(".")]
        replies = _loaded(self.folder / "slack-web-responses.jsonschema.json.gz")
        methods = _loaded(self.folder / "slack-api-ref.selected.json.gz")
        spec = methods.get(method, {}).get("spec", {})
        reply = replies.get(f"{''.join(words)}Response") or spec.get("output", {})
        return spec.get("args", {}), reply


def _body(request: Request) -> Mapping[str, JSON]:
    """Return a body as the specifications have it, which call a form with files one of them."""
    return {"attachments": None} if request.media == "multipart/form-data" else request.json()


@cache
def _loaded(path: Path) -> Mapping[str, Any]:
    content: Mapping[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return content


def _schema(path: Path, *steps: str) -> Mapping[str, Any]:
    schema = _loaded(path)
    for step in steps:
        schema = schema[step]
    return schema


def _problems(
    schema: Mapping[str, Any], value: JSON, where: str, *, strict: bool = False
) -> list[str]:
    errors = _validator(json.dumps(schema), strict=strict).iter_errors(_plain(value))
    causes = (_innermost(error) for error in errors)
    return [f"{where}: {error.json_path}: {error.message[:200]}" for error in causes]


def _innermost(error: "ValidationError") -> "ValidationError":
    """Return the innermost error if several alternatives failed."""
    inner = max(error.context or (), key=lambda each: len(each.absolute_path), default=None)
    return _innermost(inner) if inner else error


@cache
def _validator(schema: str, *, strict: bool) -> "Validator":
    from jsonschema.validators import validator_for  # noqa: PLC0415  # only who checks has it

    read = json.loads(schema)
    for name, mistake in _MISTAKES.items():
        if name in read.get("definitions", {}):
            del read["definitions"][name]["properties"][mistake]
    final_schema = read if strict else _broad(read)
    return validator_for(final_schema)(final_schema)


def _broad(schema: Any) -> Any:  # noqa: ANN401  # a schema is any JSON, at every depth
    """Return a schema that lets everything be null, and more be there."""
    if isinstance(schema, list):
        return [_broad(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    broad = _inside(schema)
    if target := broad.pop("$ref", None):
        broad["anyOf"] = [{"$ref": target}, {"type": "null"}]
    if kind := schema.get("type"):
        broad["type"] = [*(kind if isinstance(kind, list) else [kind]), "null"]
    return broad


def _inside(schema: Mapping[str, Any]) -> dict[str, Any]:
    left_out = {"enum", "const", "format", "additionalProperties", "minItems", "optional"}
    entries = {name: value for name, value in schema.items() if name not in left_out}
    named = {"properties", "definitions", "$defs", "patternProperties"}
    return {
        name: {key: _broad(each) for key, each in value.items()}
        if name in named and isinstance(value, dict)
        else value
        if name in {"required", "example", "examples", "default"}
        else _broad(value)
        for name, value in entries.items()
    }


def _documents(value: JSON) -> Iterator[JSON]:
    if isinstance(value, Mapping):
        if value.get("type") == "doc":
            yield value
            return
        for each in value.values():
            yield from _documents(each)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for each in value:
            yield from _documents(each)


def _sent(value: JSON, schema: Mapping[str, Any]) -> JSON:
    """Return a parameter as its schema knows it: words as a list, or with commas between."""
    if not isinstance(value, tuple):
        return value
    if schema.get("type") == "string":
        return ",".join(map(str, value))
    numbers = schema.get("items", {}).get("type") == "number"
    return [int(str(each)) if numbers else each for each in value]


def _plain(value: JSON) -> JSON:
    """Return JSON made of nothing but dictionaries and lists, as a client would read it."""
    read: JSON = json.loads(json.dumps(value))
    return read
