"""Azure DevOps' answers: work items, discussions, history, queries, types."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import JSON
from rove_sim import ids
from rove_sim.azure.errors import no_item, refusal, refused
from rove_sim.azure.process import DEFAULTS, states_of, type_json
from rove_sim.azure.wiql import WiqlError, parse
from rove_sim.parameters import Reader, flag, integer, one_of, taking, text, words
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.azure.vendor import AzureDevOps

_MOST_FOUND: Final = 20_000
_MOST_AT_ONCE: Final = 200
_MOST_LISTED: Final = 200
_EXPANDS: Final = one_of("none", "relations", "fields", "links", "all", "None", "Relations", "All")
VERSION: Final[Mapping[str, Reader]] = {"api-version": text}
#: Whoever asks without a login.
_ANONYMOUS: Final[JSON] = {
    "id": "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
    "descriptor": "System:PublicAccess;aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
    "providerDisplayName": "Anonymous",
    "isActive": True,
    "properties": {},
}


@frozen
class AzureAnswers:
    """Answers what only asks."""

    azure: "AzureDevOps"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        wit, version = "/{org}/_apis/wit", taking("api-version", **VERSION)
        of = "/{org}/{project}/_apis/wit"
        return [
            VendorRoute(
                method="GET", path="/{org}/_apis/connectionData", answer=self._me, query=version
            ),
            VendorRoute(
                method="GET",
                path="/{org}/_apis/projects",
                answer=self._projects,
                query=taking(
                    "api-version", **VERSION, **_odata(top=integer), continuationToken=text
                ),
            ),
            VendorRoute(
                method="POST",
                path=f"{wit}/wiql",
                answer=self._wiql,
                query=taking("api-version", **VERSION, **_odata(top=integer), timePrecision=flag),
                body=taking("query", query=text),
            ),
            VendorRoute(
                method="POST",
                path=f"{wit}/workitemsbatch",
                answer=self._batch,
                query=version,
                body=taking(
                    "ids", ids=_numbers, fields=words, errorPolicy=text, **_odata(expand=_EXPANDS)
                ),
            ),
            VendorRoute(
                method="GET",
                path=f"{wit}/workitems/{{id}}",
                answer=self._item,
                query=taking("api-version", **VERSION, **_odata(expand=_EXPANDS)),
            ),
            VendorRoute(
                method="GET",
                path=f"{wit}/workItems/{{id}}/updates",
                answer=self._updates,
                query=taking("api-version", **VERSION, **_odata(top=integer, skip=integer)),
            ),
            VendorRoute(
                method="GET",
                path=f"{of}/workItems/{{id}}/comments",
                answer=self._comments,
                query=taking(
                    "api-version",
                    **VERSION,
                    **_odata(top=integer, expand=text),
                    continuationToken=text,
                    order=one_of("asc", "desc"),
                ),
            ),
            VendorRoute(
                method="GET", path=f"{of}/workitemtypes/{{type}}", answer=self._type, query=version
            ),
            VendorRoute(
                method="GET",
                path=f"{of}/workitemtypecategories/{{category}}",
                answer=self._category,
                query=version,
            ),
            VendorRoute(
                method="GET",
                path=f"{of}/classificationnodes/Iterations",
                answer=self._iterations,
                query=taking("api-version", **VERSION, **_odata(depth=integer)),
            ),
            VendorRoute(
                method="GET",
                path=f"{wit}/reporting/workitemrevisions",
                answer=self._revisions,
                query=taking(
                    "api-version",
                    **VERSION,
                    **_odata(maxPageSize=integer),
                    continuationToken=text,
                    fields=words,
                    includeDeleted=flag,
                    includeLatestOnly=flag,
                    startDateTime=text,
                ),
            ),
        ]

    def _me(self, call: RoutedRequest) -> Response:
        owner = self.azure.company.owner
        who: JSON = {
            "id": owner.azure,
            "descriptor": f"Microsoft.IdentityModel.Claims.ClaimsIdentity;{owner.email}",
            "subjectDescriptor": f"aad.{owner.azure}",
            "providerDisplayName": owner.name,
            "isActive": True,
            "properties": {"Account": {"$type": "System.String", "$value": owner.email}},
        }
        if not call.request.headers.get("authorization", ""):
            who = _ANONYMOUS
        organization = ids.uuid(f"azure/organization/{call.path['org']}")
        return Response(
            {
                "authenticatedUser": who,
                "authorizedUser": who,
                "instanceId": organization,
                "deploymentType": "hosted",
                "locationServiceData": {"defaultAccessMappingMoniker": "PublicAccessMapping"},
            }
        )

    def _projects(self, call: RoutedRequest) -> Response:
        if not self.azure.project_scope:
            message = "TF400813: The user is not authorized to access this resource."
            raise RefusedError(refusal(401, "UnauthorizedRequestException", message))
        names = [*self.azure.board.projects]
        start = int(call.text("continuationToken", "0"))
        end = start + self.azure.conduct.page(call.number("$top", 100), 1000)
        projects = [self.azure.documents(call).project(each) for each in names[start:end]]
        more = {"x-ms-continuationtoken": str(end)} if end < len(names) else {}
        return Response({"count": len(projects), "value": projects}, headers=more)

    def _wiql(self, call: RoutedRequest) -> Response:
        try:
            query = parse(
                call.text("query"),
                me=self.azure.company.owner.email,
                precise=call.flag("timePrecision"),
            )
        except WiqlError as error:
            raise refused(400, "WorkItemTrackingQueryException", str(error)) from None
        documents = self.azure.documents(call)
        found = [
            (item, fields)
            for item in self.azure.board.visible()
            if query.holds(fields := documents.searched(item))
        ]
        for name, greatest_first in reversed(query.order):
            found.sort(key=lambda pair: _sortable(pair[1].get(name)), reverse=greatest_first)
        most = call.number("$top", _MOST_FOUND + 1)
        if len(found) > most:
            found = found[:most]
        if len(found) > _MOST_FOUND:
            message = "VS402337: The number of work items returned exceeds the size limit of 20000."
            raise refused(400, "WorkItemTrackingQueryResultSizeLimitExceededException", message)
        return Response(
            {
                "queryType": "flat",
                "queryResultType": "workItem",
                "asOf": self.azure.clock.now().isoformat(),
                "columns": [{"referenceName": "System.Id", "name": "ID"}],
                "workItems": [{"id": item.id, "url": documents.url(item.id)} for item, _ in found],
            }
        )

    def _batch(self, call: RoutedRequest) -> Response:
        numbers, names = call.words("ids"), call.words("fields")
        if len(numbers) > _MOST_AT_ONCE:
            raise refused(400, "VssPropertyValidationException", "VS403474: more than 200 ids")
        if names and call.values.get("$expand"):
            message = "The expand parameter can not be used with the fields parameter."
            raise refused(400, "ConflictingParametersException", message)
        items: list[JSON] = []
        for number in numbers:
            item = self.azure.board.find(number)
            if item is None and call.text("errorPolicy").lower() != "omit":
                raise no_item(number)
            expand = call.text("$expand", "none")
            documents = self.azure.documents(call)
            items.append(documents.item(item, names=names, expand=expand) if item else None)
        return Response({"count": len(items), "value": items})

    def _item(self, call: RoutedRequest) -> Response:
        expand = call.text("$expand", "none")
        return Response(self.azure.documents(call).item(self.azure.found(call), expand=expand))

    def _updates(self, call: RoutedRequest) -> Response:
        every = self.azure.documents(call).updates(self.azure.found(call))
        skip = call.number("$skip")
        size = self.azure.conduct.page(call.number("$top", _MOST_LISTED), _MOST_LISTED)
        some = every[skip : skip + size]
        return Response({"count": len(some), "value": some})

    def _comments(self, call: RoutedRequest) -> Response:
        item, documents = self.azure.found(call), self.azure.documents(call)
        comments = [documents.comment(item, each) for each in item.comments]
        comments.sort(key=lambda each: str(each["createdDate"]))
        if call.text("order", "desc") == "desc":
            comments.reverse()
        start = int(call.text("continuationToken", "0"))
        size = self.azure.conduct.page(call.number("$top", _MOST_LISTED), _MOST_LISTED)
        page = comments[start : start + size]
        payload: dict[str, JSON] = {
            "totalCount": len(comments),
            "count": len(page),
            "comments": [*page],
        }
        if start + size < len(comments):
            payload["continuationToken"] = str(start + size)
            payload["nextPage"] = f"{documents.url(item.id)}/comments"
        return Response(payload)

    def _type(self, call: RoutedRequest) -> Response:
        self.azure.project(call)
        name = call.path["type"]
        if states_of(name) is None:
            message = f"VS402323: Work item type {name} does not exist in project."
            raise refused(404, "WorkItemTypeNotFoundException", message)
        return Response(type_json(name))

    def _category(self, call: RoutedRequest) -> Response:
        self.azure.project(call)
        name = call.path["category"]
        if name not in DEFAULTS:
            raise refused(404, "WorkItemTypeCategoryNotFoundException", f"No category {name}.")
        default: JSON = {"name": DEFAULTS[name], "url": ""}
        kinds: JSON = [default]
        return Response(
            {"referenceName": name, "defaultWorkItemType": default, "workItemTypes": kinds}
        )

    def _iterations(self, call: RoutedRequest) -> Response:
        return Response(self.azure.documents(call).iterations(self.azure.project(call)))

    def _revisions(self, call: RoutedRequest) -> Response:
        """Return what changed after a token, or after a time, each work item at its latest."""
        log, since = self.azure.board.log, call.text("startDateTime")
        start = int(call.text("continuationToken", "0"))
        end = min(
            len(log), start + self.azure.conduct.page(call.number("$maxPageSize", 1000), 1000)
        )
        if since:
            after = datetime.fromisoformat(since)
            start = next((n for n, each in enumerate(log) if each.at >= after), len(log))
            end = len(log) if start == len(log) else end
        values = [
            self._revision(each.id, deleted=each.deleted)
            for number, each in enumerate(log[start:end], start)
            if (each.deleted and call.flag("includeDeleted")) or self.azure.board.find(str(each.id))
            if not any(later.id == each.id for later in log[number + 1 :])
        ]
        return Response(
            {
                "values": values,
                "continuationToken": str(end),
                "isLastBatch": end == len(log),
                "nextLink": f"{call.request.origin}{call.request.path}?continuationToken={end}",
            }
        )

    def _revision(self, number: int, *, deleted: bool) -> JSON:
        fields: dict[str, JSON] = {"System.Id": number}
        if deleted:
            fields["System.IsDeleted"] = True
        return {"id": number, "rev": self.azure.board.revisions[number], "fields": fields}


def _odata(**readers: Reader) -> dict[str, Reader]:
    """Return the readers of parameters with a dollar sign."""
    return {f"${name}": reader for name, reader in readers.items()}


def _numbers(value: JSON) -> tuple[str, ...]:
    """Read several numbers."""
    return tuple(str(integer(each)) for each in value) if isinstance(value, list) else ()


def _sortable(value: JSON) -> tuple[int, float, str]:
    if isinstance(value, int | float):
        return 1, float(value), ""
    # A time is written without zeros at its end: without its sign, .12 comes before .123.
    return 0, 0.0, str(value or "").removesuffix("Z")
