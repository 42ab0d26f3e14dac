"""Changes to work items, comments and files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import attrs
from attrs import frozen

from rove_sim import ids
from rove_sim.azure.errors import refused
from rove_sim.azure.patches import AzurePatch, sanitized
from rove_sim.azure.process import states_of
from rove_sim.company_azure import AzureComment, AzureWorkItem
from rove_sim.parameters import Reader, one_of, taking, text
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Request, Response

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core import JSON
    from rove_sim.azure.vendor import AzureDevOps

_VERSION: "Final[Mapping[str, Reader]]" = {"api-version": text}
_PATCH: Final = "application/json-patch+json"
_OF: Final = "/{org}/{project}/_apis/wit"
_ITEM: Final = "/{org}/_apis/wit/workitems/{id}"


@frozen
class AzureChanges:
    """Takes changes, as those of the organization's owner."""

    azure: "AzureDevOps"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        patch = taking("api-version", **_VERSION, **{"$expand": text})
        query = taking("api-version", **_VERSION, format=one_of("html", "markdown"))
        words = taking("text", text=text)
        return [
            VendorRoute(method="PATCH", path=_ITEM, answer=self._update, query=patch),
            VendorRoute(
                method="POST", path=f"{_OF}/workitems/${{type}}", answer=self._create, query=patch
            ),
            VendorRoute(
                method="POST",
                path=f"{_OF}/workItems/{{id}}/comments",
                answer=self._comment,
                query=query,
                body=words,
            ),
            VendorRoute(
                method="PATCH",
                path=f"{_OF}/workItems/{{id}}/comments/{{comment}}",
                answer=self._edit,
                query=query,
                body=words,
            ),
            VendorRoute(
                method="POST",
                path=f"{_OF}/attachments",
                answer=self._upload,
                query=taking("api-version", "fileName", **_VERSION, fileName=text),
            ),
        ]

    @staticmethod
    def is_change(route: VendorRoute) -> bool:
        """Return whether a route changes something."""
        changing = ("${type}", "/comments", "/attachments")
        return route.method == "PATCH" or (route.method == "POST" and route.path.endswith(changing))

    def _update(self, call: RoutedRequest) -> Response:
        board, before = self.azure.board, self.azure.found(call)
        after = self._patched(call.request, before)
        return self._reply(call, board.revise(after))

    def _create(self, call: RoutedRequest) -> Response:
        azure, kind = self.azure, call.path["type"]
        states = states_of(kind)
        project = azure.project(call)
        if states is None:
            message = f"VS402323: Work item type {kind} does not exist in project {project}."
            raise refused(404, "WorkItemTypeNotFoundException", message)
        draft = AzureWorkItem(
            id=azure.board.next_id,
            project=project,
            type=kind,
            title="",
            author=self._me,
            created=azure.clock.now(),
            state=next(iter(states)),
        )
        return self._reply(call, azure.board.revise(self._patched(call.request, draft)))

    def _comment(self, call: RoutedRequest) -> Response:
        board, item = self.azure.board, self.azure.found(call)
        is_markdown = call.text("format") == "markdown"
        body = call.text("text")
        comment = AzureComment(
            number=board.next_comment,
            author=self._me,
            at=self.azure.clock.now(),
            text=body if is_markdown else sanitized(body),
            markdown=is_markdown,
        )
        after = board.revise(attrs.evolve(item, comments=(*item.comments, comment)))
        return Response(self.azure.documents(call).comment(after, comment))

    def _edit(self, call: RoutedRequest) -> Response:
        board, item = self.azure.board, self.azure.found(call)
        number, now = call.path["comment"], self.azure.clock.now()
        edited = [
            attrs.evolve(each, text=sanitized(call.text("text")), updated=now)
            if str(each.number) == number
            else each
            for each in item.comments
        ]
        found = [each for each in edited if str(each.number) == number]
        if not found:
            message = f"Comment {number} does not exist in the comments list."
            raise refused(404, "WorkItemCommentNotFoundException", message)
        after = board.revise(attrs.evolve(item, comments=tuple(edited)))
        return Response(self.azure.documents(call).comment(after, found[0]))

    def _upload(self, call: RoutedRequest) -> Response:
        files, name = self.azure.board.files, call.text("fileName")
        guid = ids.uuid(f"azure/file/{len(files)}/{name}")
        files[guid] = name, call.request.body
        url = f"{self.azure.documents(call).site}/_apis/wit/attachments/{guid}?fileName={name}"
        return Response({"id": guid, "url": url}, 201)

    def _patched(self, request: Request, before: AzureWorkItem) -> AzureWorkItem:
        if request.media != _PATCH:
            message = f"The request entity's media type '{request.media}' is not supported."
            raise refused(415, "UnsupportedMediaTypeException", message)
        return AzurePatch(self.azure.board, before, self._me).applied(request.body)

    def _reply(self, call: RoutedRequest, item: AzureWorkItem) -> Response:
        payload: JSON = self.azure.documents(call).item(item, expand=call.text("$expand", "none"))
        return Response(payload)

    @property
    def _me(self) -> str:
        return self.azure.company.owner.key
