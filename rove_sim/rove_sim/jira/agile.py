"""Boards and sprints of a site."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rove_core import JSON
from rove_sim.jira.errors import refuse
from rove_sim.jira.vocabulary import number
from rove_sim.parameters import one_of, taking, text, within, words
from rove_sim.routes import RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.jira.site import Jira

_MOST: Final = 50


@frozen
class SprintBoards:
    """Answers requests about boards; each project has one, with sprints."""

    jira: "Jira"

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be asked."""
        api = "/rest/agile/1.0/board"
        pages = {"startAt": within(0, 10**6), "maxResults": within(1, 10**6)}
        boards = taking(projectKeyOrId=text, type=one_of("scrum", "kanban", "simple"), **pages)
        sprints = taking(state=words, **pages)
        return [
            VendorRoute(method="GET", path=api, answer=self.boards, query=boards),
            VendorRoute(
                method="GET", path=f"{api}/{{board}}/sprint", answer=self.sprints, query=sprints
            ),
        ]

    def boards(self, call: RoutedRequest) -> Response:
        """Give the boards of a project."""
        project = call.text("projectKeyOrId")
        keys = [each.key for each in self.jira.tickets.projects()]
        if project and project not in keys:
            refuse(400, f"No project could be found with key or id '{project}'.")
        found: list[JSON] = [
            {
                "id": int(number("board", key)),
                "self": f"{self.jira.address}/rest/agile/1.0/board/{number('board', key)}",
                "name": f"{key} board",
                "type": "scrum",
            }
            for key in keys
            if project in ("", key)
        ]
        return self._page(call, found)

    def sprints(self, call: RoutedRequest) -> Response:
        """Give the sprints of a board, the oldest first."""
        keys = {number("board", each.key): each.key for each in self.jira.tickets.projects()}
        project = keys.get(call.path["board"]) or refuse(404, "Board does not exist.")
        states = call.words("state", ("active", "future", "closed"))
        found: list[JSON] = [
            {
                "id": int(number("sprint", name)),
                "self": f"{self.jira.address}/rest/agile/1.0/sprint/{number('sprint', name)}",
                "state": state,
                "name": name,
                "originBoardId": int(call.path["board"]),
                "goal": "",
            }
            for name in self.jira.tickets.sprint_names(project)
            if (state := self.jira.tickets.sprint_state(name)) in states
        ]
        return self._page(call, found)

    def _page(self, call: RoutedRequest, found: Sequence[JSON]) -> Response:
        start = call.number("startAt")
        most = self.jira.conduct.page(call.number("maxResults", _MOST), _MOST)
        page = [*found[start : start + most]]
        return Response(
            {
                "maxResults": most,
                "startAt": start,
                "total": len(found),
                "isLast": start + most >= len(found),
                "values": page,
            }
        )
