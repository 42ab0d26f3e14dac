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
        body = taking("body", body=text)
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
                method="POST",
                path=f"{place}/{{number}}/comments",
                answer=self._add_comment,
                body=body,
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
                method="PATCH",
                path=f"{place}/comments/{{id}}",
                answer=self._edit_comment,
                body=body,
            ),
        ]

    def _create(self, call: RoutedRequest) -> Response:
        view, repository = self._place(call)
        _need_title(call)
        number = max(
            (each.number for each in view.hub.items() if each.repository == repository.name),
            default=0,
        )
        made = RepositoryIssue(
            repository=repository.name,
            number=number + 1,
            title=call.text("title"),
            body=call.text("body"),
            author=self._me,
            created=self._vendor.clock.now(),
            labels=call.words("labels"),
            assignees=self._people(call),
        )
        view.hub.put(made)
        return Response(issue(view, made), 201)

    def _change(self, call: RoutedRequest) -> Response:
        view, repository = self._place(call)
        item = self._item(view, repository, call)
        if "title" in call.values:
            _need_title(call)
        changes: dict[str, Any] = {
            name: call.values[name] for name in ("title", "body", "labels") if name in call.values
        }
        if "assignees" in call.values:
            changes["assignees"] = self._people(call)
        if isinstance(item, RepositoryIssue):
            changes |= self._state(call, item)
        item = attrs.evolve(item, **changes, updated=self._vendor.clock.now())
        view.hub.put(item)
        return Response(issue(view, item))

    def _put_below(self, call: RoutedRequest) -> Response:
        view, repository = self._place(call)
        if not self._vendor.has_sub_issues:
            raise RefusedError(refusals.not_found())
        above, below = self._item(view, repository, call), self._sub_issue(view, call)
        if not isinstance(above, RepositoryIssue) or above.number == below.number:
            raise RefusedError(refusals.refusal(422, "An issue cannot be its own sub-issue"))
        if before := view.hub.parent(below):
            if not call.flag("replace_parent"):
                raise RefusedError(refusals.refusal(422, "Sub issue may only have one parent"))
            self._without(view, before, below)
            above = self._item(view, repository, call)
        assert isinstance(above, RepositoryIssue)  # noqa: S101  # it was one before
        self._keep(view, above, (*above.sub_issues, below.number))
        return Response(issue(view, above), 201)

    def _take_out(self, call: RoutedRequest) -> Response:
        view, repository = self._place(call)
        above, below = self._item(view, repository, call), self._sub_issue(view, call)
        if view.hub.parent(below) != above:
            raise RefusedError(refusals.not_found())
        self._without(view, above, below)
        return Response(issue(view, above))

    def _sub_issue(self, view: HubView, call: RoutedRequest) -> RepositoryIssue:
        number = call.number("sub_issue_id")
        for each in view.hub.items():
            if isinstance(each, RepositoryIssue) and item_id(each) == number:
                return each
        raise RefusedError(refusals.not_found())

    def _without(self, view: HubView, above: Item, below: RepositoryIssue) -> None:
        if isinstance(above, RepositoryIssue):
            left = tuple(each for each in above.sub_issues if each != below.number)
            self._keep(view, above, left)

    def _keep(self, view: HubView, above: RepositoryIssue, below: tuple[int, ...]) -> None:
        now = self._vendor.clock.now()
        view.hub.put(attrs.evolve(above, sub_issues=below, updated=now))

    def _add_comment(self, call: RoutedRequest) -> Response:
        view, repository = self._place(call)
        item, now = self._item(view, repository, call), self._vendor.clock.now()
        id_ = part_id(item, "", "comment", now, self._me, len(item.comments))
        remark = RepositoryComment(id=str(id_), author=self._me, at=now, text=call.text("body"))
        view.hub.put(attrs.evolve(item, comments=(*item.comments, remark), updated=now))
        return Response(comment(view, item, remark), 201)

    def _edit_comment(self, call: RoutedRequest) -> Response:
        view, repository = self._place(call)
        for item in view.hub.items():
            for remark in item.comments if item.repository == repository.name else ():
                if (
                    str(part_id(item, remark.id, "comment", remark.at, remark.author))
                    == call.path["id"]
                ):
                    now = self._vendor.clock.now()
                    after = attrs.evolve(remark, text=call.text("body"), updated=now)
                    rest = [after if each is remark else each for each in item.comments]
                    view.hub.put(attrs.evolve(item, comments=tuple(rest), updated=now))
                    return Response(comment(view, item, after))
        return refusals.not_found()

    def _place(self, call: RoutedRequest) -> tuple[HubView, CompanyRepository]:
        """Return where to change something, if the token may."""
        view = HubView(self._vendor.hub, call.request.origin)
        found = view.hub.repository(f"{call.path['owner']}/{call.path['repo']}")
        if found is None or found.access != "read":
            raise RefusedError(refusals.not_found())
        token = call.request.headers.get("authorization", "").partition(" ")[2]
        if token == self._vendor.reader_token:
            raise RefusedError(refusals.forbidden(scopes="issues=write"))
        return view, found

    def _item(self, view: HubView, repository: CompanyRepository, call: RoutedRequest) -> Item:
        number = call.path["number"]
        item = view.hub.item(repository.name, int(number)) if number.isdecimal() else None
        if item is None:
            raise RefusedError(refusals.not_found())
        if isinstance(item, RepositoryIssue) and (item.deleted or item.moved):
            raise RefusedError(refusals.refusal(410, "This issue was deleted"))
        return item

    def _state(self, call: RoutedRequest, item: RepositoryIssue) -> Mapping[str, object]:
        state = call.text("state", item.state)
        if "state" not in call.values and "state_reason" not in call.values:
            return {}
        if state == "open":
            return {"state": "open", "reason": "", "closed": None}
        closed = item.closed or self._vendor.clock.now()
        reason = call.text("state_reason", item.reason or "completed")
        return {"state": "closed", "reason": reason, "closed": closed}

    def _people(self, call: RoutedRequest) -> tuple[str, ...]:
        """Return whom logins mean; whom GitHub cannot assign it leaves out in silence."""
        keys = {login_of(each): each.key for each in self._vendor.company.people}
        return tuple(keys[login] for login in call.words("assignees") if login in keys)

    @property
    def _me(self) -> str:
        owner = self._vendor.company.owner
        return owner.key or owner.name


def _need_title(call: RoutedRequest) -> None:
    """Refuse an issue without a title; GitHub's error has only a field and a code."""
    if not call.text("title").strip():
        missing = {"resource": "Issue", "code": "missing_field", "field": "title"}
        raise RefusedError(refusals.unprocessable([missing]))
