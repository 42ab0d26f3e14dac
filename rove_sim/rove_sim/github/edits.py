"""Changes that a token may make: issues and their comments."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from rove_sim.company_github import CompanyRepository, RepositoryComment, RepositoryIssue
from rove_sim.github import refusals
from rove_sim.github.hub import HubView, Item, item_id, part_id
from rove_sim.github.issues import comment, issue
from rove_sim.github.people import login_of
from rove_sim.parameters import flag, one_of, taking, text, typed, within, words
from rove_sim.routes import RefusedError, RoutedRequest, VendorRoute
from rove_sim.server import Response

if TYPE_CHECKING:
    from rove_sim.github.vendor import GitHub

_FIELDS: Final = {
    "title": text,
    "body": text,
    "state": one_of("open", "closed"),
    "state_reason": one_of("completed", "not_planned", "duplicate", "reopened"),
    "labels": words,
    "assignees": words,
}
_NEW: Final = {name: _FIELDS[name] for name in ("title", "body", "labels", "assignees")}


class RepositoryEdits:
    """Changes issues below ``/repos/{owner}/{repo}``, as the token's owner."""

    def __init__(self, vendor: "GitHub") -> None:
        self._vendor = vendor

    def routes(self) -> Sequence[VendorRoute]:
        """Return what can be changed."""
        place = "/repos/{owner}/{repo}/issues"
        said = taking("body", body=text)
        moved = taking("sub_issue_id", sub_issue_id=typed(int, within(1, 2**53)))
        below = taking("sub_issue_id", **moved.readers, replace_parent=flag)
        return [
            VendorRoute(
                method="POST", path=place, answer=self._create, body=taking("title", **_NEW)
            ),
            VendorRoute(
                method="PATCH",
                path=f"{place}/{{number}}",
                answer=self._change,
                body=taking(**_FIELDS),
            ),
            VendorRoute(
                method="POST", path=f"{place}/{{number}}/comments", answer=self._say, body=said
            ),
            VendorRoute(
                method="POST",
                path=f"{place}/{{number}}/sub_issues",
                answer=self._put_below,
                body=below,
            ),
            VendorRoute(
                method="DELETE",
                path=f"{place}/{{number}}/sub_issue",
                answer=self._take_out,
                body=moved,
            ),
            VendorRoute(
                method="PATCH", path=f"{place}/comments/{{id}}", answer=self._say_again, body=said
            ),
        ]

    def _create(self, asked: RoutedRequest) -> Response:
        view, repository = self._place(asked)
        _need_title(asked)
        number = max(
            (each.number for each in view.hub.items() if each.repository == repository.name),
            default=0,
        )
        made = RepositoryIssue(
            repository=repository.name,
            number=number + 1,
            title=asked.text("title"),
            body=asked.text("body"),
            author=self._me,
            created=self._vendor.clock.now(),
            labels=asked.words("labels"),
            assignees=self._people(asked),
        )
        view.hub.put(made)
        return Response(issue(view, made), 201)

    def _change(self, asked: RoutedRequest) -> Response:
        view, repository = self._place(asked)
        item = self._item(view, repository, asked)
        if "title" in asked.given:
            _need_title(asked)
        changes: dict[str, Any] = {
            name: asked.given[name] for name in ("title", "body", "labels") if name in asked.given
        }
        if "assignees" in asked.given:
            changes["assignees"] = self._people(asked)
        if isinstance(item, RepositoryIssue):
            changes |= self._state(asked, item)
        item = attrs.evolve(item, **changes, updated=self._vendor.clock.now())
        view.hub.put(item)
        return Response(issue(view, item))

    def _put_below(self, asked: RoutedRequest) -> Response:
        view, repository = self._place(asked)
        if not self._vendor.has_sub_issues:
            raise RefusedError(refusals.not_found())
        above, below = self._item(view, repository, asked), self._sub_issue(view, asked)
        if not isinstance(above, RepositoryIssue) or above.number == below.number:
            raise RefusedError(refusals.refusal(422, "An issue cannot be its own sub-issue"))
        if before := view.hub.parent(below):
            if not asked.flag("replace_parent"):
                raise RefusedError(refusals.refusal(422, "Sub issue may only have one parent"))
            self._without(view, before, below)
            above = self._item(view, repository, asked)
        assert isinstance(above, RepositoryIssue)  # noqa: S101  # it was one before
        self._keep(view, above, (*above.sub_issues, below.number))
        return Response(issue(view, above), 201)

    def _take_out(self, asked: RoutedRequest) -> Response:
        view, repository = self._place(asked)
        above, below = self._item(view, repository, asked), self._sub_issue(view, asked)
        if view.hub.parent(below) != above:
            raise RefusedError(refusals.not_found())
        self._without(view, above, below)
        return Response(issue(view, above))

    def _sub_issue(self, view: HubView, asked: RoutedRequest) -> RepositoryIssue:
        wanted = asked.number("sub_issue_id")
        for each in view.hub.items():
            if isinstance(each, RepositoryIssue) and item_id(each) == wanted:
                return each
        raise RefusedError(refusals.not_found())

    def _without(self, view: HubView, above: Item, below: RepositoryIssue) -> None:
        if isinstance(above, RepositoryIssue):
            left = tuple(each for each in above.sub_issues if each != below.number)
            self._keep(view, above, left)

    def _keep(self, view: HubView, above: RepositoryIssue, below: tuple[int, ...]) -> None:
        now = self._vendor.clock.now()
        view.hub.put(attrs.evolve(above, sub_issues=below, updated=now))

    def _say(self, asked: RoutedRequest) -> Response:
        view, repository = self._place(asked)
        item, now = self._item(view, repository, asked), self._vendor.clock.now()
        id_ = part_id(item, "", "comment", now, self._me, len(item.comments))
        said = RepositoryComment(id=str(id_), author=self._me, at=now, text=asked.text("body"))
        view.hub.put(attrs.evolve(item, comments=(*item.comments, said), updated=now))
        return Response(comment(view, item, said), 201)

    def _say_again(self, asked: RoutedRequest) -> Response:
        view, repository = self._place(asked)
        for item in view.hub.items():
            for said in item.comments if item.repository == repository.name else ():
                if str(part_id(item, said.id, "comment", said.at, said.author)) == asked.path["id"]:
                    now = self._vendor.clock.now()
                    after = attrs.evolve(said, text=asked.text("body"), updated=now)
                    rest = [after if each is said else each for each in item.comments]
                    view.hub.put(attrs.evolve(item, comments=tuple(rest), updated=now))
                    return Response(comment(view, item, after))
        return refusals.not_found()

    def _place(self, asked: RoutedRequest) -> tuple[HubView, CompanyRepository]:
        """Return where to change something, if the token may."""
        view = HubView(self._vendor.hub, asked.request.origin)
        found = view.hub.repository(f"{asked.path['owner']}/{asked.path['repo']}")
        if found is None or found.access != "read":
            raise RefusedError(refusals.not_found())
        token = asked.request.headers.get("authorization", "").partition(" ")[2]
        if token == self._vendor.reader_token:
            raise RefusedError(refusals.forbidden(wanted="issues=write"))
        return view, found

    def _item(self, view: HubView, repository: CompanyRepository, asked: RoutedRequest) -> Item:
        number = asked.path["number"]
        item = view.hub.item(repository.name, int(number)) if number.isdecimal() else None
        if item is None:
            raise RefusedError(refusals.not_found())
        if isinstance(item, RepositoryIssue) and (item.deleted or item.moved):
            raise RefusedError(refusals.refusal(410, "This issue was deleted"))
        return item

    def _state(self, asked: RoutedRequest, item: RepositoryIssue) -> Mapping[str, object]:
        state = asked.text("state", item.state)
        if "state" not in asked.given and "state_reason" not in asked.given:
            return {}
        if state == "open":
            return {"state": "open", "reason": "", "closed": None}
        closed = item.closed or self._vendor.clock.now()
        reason = asked.text("state_reason", item.reason or "completed")
        return {"state": "closed", "reason": reason, "closed": closed}

    def _people(self, asked: RoutedRequest) -> tuple[str, ...]:
        """Return whom logins mean; whom GitHub cannot assign it leaves out in silence."""
        keys = {login_of(each): each.key for each in self._vendor.company.people}
        return tuple(keys[login] for login in asked.words("assignees") if login in keys)

    @property
    def _me(self) -> str:
        owner = self._vendor.company.owner
        return owner.key or owner.name


def _need_title(asked: RoutedRequest) -> None:
    """Refuse an issue without a title; GitHub's error has only a field and a code."""
    if not asked.text("title").strip():
        missing = {"resource": "Issue", "code": "missing_field", "field": "title"}
        raise RefusedError(refusals.unprocessable([missing]))
