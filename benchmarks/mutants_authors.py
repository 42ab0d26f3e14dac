"""One-line faults that authors of a source make: ``python -m benchmarks mutants_authors``.

The kinds of mistake were listed first, and then placed in the code of two sources, before anybody
looked at which test might catch them. Half of each list, drawn by a seed, was held back while the
suite was improved, and was run once afterwards. Later all that was missed of both halves was looked
at, so that neither half says any more what the suite catches unseen: `mutants_drawn` does.
"""

# ruff: noqa: E501  # a fault is one line, whatever its length

import argparse
import sys
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from benchmarks.mutants import Fault
from benchmarks.mutants_github import play

_ITEMS: Final = "items.py"
_FACTS: Final = "facts.py"
_SEARCH: Final = "search.py"
_LIST: Final = "listing.py"
_WORK: Final = "work.py"
_FIELDS: Final = "work_items.py"
_REFS: Final = "references.py"
_ERRORS: Final = "errors.py"
_SOURCE: Final = "source.py"
_API: Final = "api.py"
_WIKI: Final = "wiki.py"
_LOGIN: Final = "login.py"

LINEAR: Final = (
    # What an item says
    Fault(
        "assignee as author",
        _ITEMS,
        "author=name(issue.creator, issue.externalUserCreator, issue.botActor)",
        "author=name(issue.assignee)",
    ),
    Fault(
        "author from outside dropped",
        _ITEMS,
        "author=name(issue.creator, issue.externalUserCreator, issue.botActor)",
        "author=name(issue.creator)",
    ),
    Fault(
        "created instead of changed",
        _ITEMS,
        "timestamp=changed(issue),",
        "timestamp=issue.createdAt or changed(issue),",
    ),
    Fault(
        "changed instead of created", _FACTS, "created=issue.createdAt,", "created=issue.updatedAt,"
    ),
    Fault(
        "a comment's edit as its creation",
        _ITEMS,
        "facts=Facts(on=on, created=comment.createdAt),",
        "facts=Facts(on=on, created=comment.updatedAt),",
    ),
    Fault(
        "robot as nobody",
        _ITEMS,
        "author=name(comment.user, comment.externalUser, comment.botActor)",
        "author=name(comment.user, comment.externalUser)",
    ),
    Fault(
        "tags in comments swallowed",
        _ITEMS,
        "content=show_tags(comment.body)",
        "content=comment.body",
    ),
    Fault(
        "escape of a link's name lost",
        _ITEMS,
        'label = escape_markdown(title, after=":" if url else "\\n")',
        "label = title",
    ),
    Fault(
        "second title of a link lost",
        _ITEMS,
        '" ".join(f"{attachment.title} {attachment.subtitle}".split())',
        '" ".join(attachment.title.split())',
    ),
    Fault(
        "reply as any relation",
        _ITEMS,
        'Link(ref=to, relation="replies_to")',
        'Link(ref=to, relation="relates")',
    ),
    Fault(
        "replies not below what they answer",
        _ITEMS,
        "return sorted(comments, key=place)",
        "return sorted(comments, key=lambda each: each.createdAt or unknown)",
    ),
    Fault(
        "cut of a later page not noted",
        _ITEMS,
        "incomplete=_incomplete_note(pages[-1].next)",
        "incomplete=_incomplete_note(())",
    ),
    Fault(
        "parent as child",
        _FACTS,
        'yield "child of", pages[0].parent',
        'yield "parent of", pages[0].parent',
    ),
    Fault(
        "children of the first page alone",
        _FACTS,
        '(("parent of", child) for child in page.children.nodes)',
        '(("parent of", child) for child in pages[0].children.nodes)',
    ),
    Fault(
        "inverse relation not turned",
        _FACTS,
        "yield _BACK.get(back.type, back.type), back.issue",
        "yield _THERE.get(back.type, back.type), back.issue",
    ),
    Fault(
        "state of one category as another",
        _FACTS,
        '"unstarted": "todo"',
        '"unstarted": "in_progress"',
    ),
    Fault("due day dropped", _FACTS, "due=day(issue.dueDate)", "due=None"),
    Fault(
        "every address as a file", _FACTS, "if urlsplit(each.url).hostname == _FILES", "if each.url"
    ),
    Fault(
        "number of a cycle dropped",
        _FACTS,
        'return f"{cycle.number:g} {cycle.name}".strip()',
        "return cycle.name",
    ),
    Fault("update by nobody", _WIKI, "author=name(update.user)", 'author=""'),
    Fault(
        "summary of a page dropped",
        _WIKI,
        '[page.content] if kind == "document" else [page.description, page.content]',
        "[page.content]",
    ),
    Fault("cut list of a page not noted", _WIKI, '"comments": page.comments.pageInfo,', ""),
    # What is found
    Fault(
        "field asked for another one",
        _SEARCH,
        '"comments": {"comments": {"some": {"body": contains}}}',
        '"comments": {"description": contains}',
    ),
    Fault(
        "all labels instead of one",
        _SEARCH,
        '"labels": {"labels": {"some": {"name": contains}}}',
        '"labels": {"labels": {"every": {"name": contains}}}',
    ),
    Fault(
        "id in another case not found",
        _SEARCH,
        'yield {"id": {"eq": word.upper()}}',
        'yield {"id": {"eq": word}}',
    ),
    Fault(
        "words only side by side",
        _SEARCH,
        "for word in query.text.split()",
        "for word in [query.text]",
    ),
    Fault(
        "window of creation",
        _SEARCH,
        'return {"updatedAt": bounds} if bounds else None',
        'return {"createdAt": bounds} if bounds else None',
    ),
    Fault(
        "further kinds of hits dropped",
        _SOURCE,
        "beside.extend(self._documents.found(reply.read(WikiSearchReply).data))",
        "pass",
    ),
    # What is recognised
    Fault(
        "pages of other workspaces",
        _REFS,
        "            if workspace.lower() == self.workspace.lower():",
        "            if workspace:",
    ),
    Fault(
        "wiki pages of other workspaces",
        _REFS,
        "            if page[1].lower() == self.workspace.lower():",
        "            if page[1]:",
    ),
    Fault("branch names in one case", _REFS, "(?i:{prefix})", "(?:{prefix})"),
    # What fails
    Fault(
        "limit as trouble", _ERRORS, '"RATELIMITED": (RateLimited,', '"RATELIMITED": (Unavailable,'
    ),
    Fault(
        "missing right as a bad login",
        _ERRORS,
        '"FORBIDDEN": (ScopeMissing,',
        '"FORBIDDEN": (LoginRefused,',
    ),
    Fault(
        "wrong value of a change as something lost",
        _ERRORS,
        'if code == "INPUT_ERROR" or error.message.startswith("Entity not found"):',
        'if code == "INPUT_ERROR":',
    ),
    # Who logs in
    Fault(
        "asks for more rights than set",
        _LOGIN,
        '"read,write" if account.settings.writes else "read"',
        '"read,write"',
    ),
    Fault(
        "first page of teams alone",
        _SOURCE,
        "lambda who: who.data.teams.pageInfo.next",
        'lambda who: ""',
    ),
    # What is listed
    Fault(
        "private container as public", _LIST, "private=each.visibility in _PRIVATE", "private=False"
    ),
    Fault(
        "edited answer not listed",
        _LIST,
        '{"comments": {"some": {"updatedAt": since}}}',
        '{"comments": {"some": {"createdAt": since}}}',
    ),
    Fault(
        "deleted item among recent changes", _LIST, "if not issue.trashed and (whole", "if (whole"
    ),
    Fault(
        "former id not told as gone",
        _LIST,
        "if issue.trashed else present(issue.previousIdentifiers)",
        "if issue.trashed else []",
    ),
    Fault(
        "lost container not swept",
        _LIST,
        "if not (update.is_sweep_due(now, per_request=_MOST_NAMES) or prefixes.difference(teams)):",
        "if not update.is_sweep_due(now, per_request=_MOST_NAMES):",
    ),
    Fault(
        "partly listed item as whole",
        _LIST,
        "if not (issue.next or issue.documents.pageInfo.next):",
        "if True:",
    ),
    # What is changed
    Fault(
        "priority not turned",
        _FIELDS,
        "return _LOWEST + 1 - int(priority) if priority else 0",
        "return int(priority)",
    ),
    Fault(
        "part of an item as an item",
        _FIELDS,
        'type="subtask" if parent else "ticket"',
        'type="ticket"',
    ),
    Fault(
        "revision by the minute",
        _FIELDS,
        "revision=at.isoformat()",
        'revision=f"{at:%Y-%m-%dT%H:%M}"',
    ),
    Fault("own status offered", _WORK, "if own is None or each.id != own.id]", "]"),
    Fault(
        "statuses in another order",
        _FIELDS,
        "key=lambda each: (_TYPES.index(each.type), each.position)",
        "key=lambda each: each.position",
    ),
    Fault(
        "description of a new item lost", _WORK, '            "description": new.description,\n', ""
    ),
    Fault("parent of a new item lost", _WORK, 'inputs["parentId"] = new.parent.id', "pass"),
    Fault(
        "over iterations oldest first",
        _WORK,
        "for each in reversed(found) if each.isPast",
        "for each in found if each.isPast",
    ),
    Fault(
        "headers of an upload ignored",
        "uploads.py",
        "headers={**_CACHED, **{each.key: each.value for each in file.headers}}",
        "headers=_CACHED",
    ),
    Fault(
        "file attached again each time",
        "uploads.py",
        "if each.id == id_), None)",
        "if False), None)",
    ),
)

AZURE: Final = (
    # What an item says
    Fault(
        "assignee as author",
        _ITEMS,
        "author=person(reply.fields, names.AUTHOR)",
        "author=person(reply.fields, names.ASSIGNEE)",
    ),
    Fault(
        "created instead of changed",
        _FACTS,
        "return moment(reply.fields, names.CHANGED) or moment(reply.fields, names.CREATED) or _LONG_AGO",
        "return moment(reply.fields, names.CREATED) or _LONG_AGO",
    ),
    Fault("resolved as done", _FACTS, '"Resolved": "in_progress"', '"Resolved": "done"'),
    Fault("removed as done", _FACTS, '"Removed": "canceled"', '"Removed": "done"'),
    Fault(
        "parent as child",
        _FACTS,
        '"System.LinkTypes.Hierarchy-Reverse": "parent"',
        '"System.LinkTypes.Hierarchy-Reverse": "child"',
    ),
    Fault(
        "blocks turned around",
        _FACTS,
        '"System.LinkTypes.Dependency-Forward": "blocks"',
        '"System.LinkTypes.Dependency-Forward": "blocked_by"',
    ),
    Fault(
        "duplicates turned around",
        _FACTS,
        '"System.LinkTypes.Duplicate-Reverse": "duplicates"',
        '"System.LinkTypes.Duplicate-Reverse": "duplicated_by"',
    ),
    Fault(
        "due day of another zone", _FACTS, "return (at + _HALF_A_DAY).date()", "return at.date()"
    ),
    Fault("labels split at the wrong sign", _FACTS, 'split(";")', 'split(",")'),
    Fault(
        "login name instead of the name",
        _FACTS,
        'text(value, "displayName") if mapping(value)',
        'text(value, "uniqueName") if mapping(value)',
    ),
    Fault(
        "backlog as an iteration", _FACTS, 'return path if "\\\\" in path else ""', "return path"
    ),
    Fault(
        "iteration by its whole path",
        _FACTS,
        'return iteration(reply).rpartition("\\\\")[2]',
        "return iteration(reply)",
    ),
    Fault(
        "area as project",
        _FACTS,
        "project=text(fields, names.PROJECT)",
        "project=text(fields, names.AREA)",
    ),
    Fault("estimate dropped", _FACTS, "estimate=size(reply)[0],", "estimate=None,"),
    Fault(
        "attached files by their address",
        _FACTS,
        "tuple(each.attributes.name for each in files(reply))",
        "tuple(each.url for each in files(reply))",
    ),
    Fault(
        "long text of a field of one's own dropped",
        "texts.py",
        "if ref.startswith(OWN) and is_long(reply, ref) and",
        "if False and",
    ),
    Fault(
        "markup lost",
        "texts.py",
        "    return html_to_markdown(value)",
        '    return re.sub(r"<[^<>]+>", "", value)',
    ),
    Fault(
        "Markdown read as HTML",
        "texts.py",
        "if format_.lower() == _MARKDOWN or is_lines:",
        "if is_lines:",
    ),
    Fault(
        "mention by an id", "texts.py", 'return f"@{name}" if name else found[0]', "return found[0]"
    ),
    Fault("deleted comment shown", _ITEMS, "if comment.isDeleted:", "if False:"),
    Fault(
        "edit of a comment ignored",
        _ITEMS,
        "timestamp=first_moment(comment.modifiedDate) or created or changed(reply)",
        "timestamp=created or changed(reply)",
    ),
    Fault(
        "login name of whoever comments",
        _ITEMS,
        "author=comment.createdBy.displayName",
        "author=comment.createdBy.uniqueName",
    ),
    Fault(
        "title and status of a link swapped",
        _ITEMS,
        "title=text(other.fields, names.TITLE),\n                status=text(other.fields, names.STATE),",
        "title=text(other.fields, names.STATE),\n                status=text(other.fields, names.TITLE),",
    ),
    Fault(
        "escape of a link's name lost",
        _ITEMS,
        'label = escape_markdown(" ".join(name.split()), after=":" if url else "\\n")',
        'label = " ".join(name.split())',
    ),
    Fault("one kind of link dropped", _ITEMS, 'case "Hyperlink":', 'case "HyperLink":'),
    Fault(
        "comments all at the item's address",
        _ITEMS,
        "/_workitems/edit/{number}#{comment}",
        "/_workitems/edit/{number}",
    ),
    Fault(
        "gap not noted",
        "work_item_reader.py",
        'gaps.append(f"{name} not read: {error.message}")',
        "pass",
    ),
    # What is found
    Fault(
        "field asked for another one",
        _SEARCH,
        "yield wiql.contains(names.TAGS, word)",
        "yield wiql.contains(names.TITLE, word)",
    ),
    Fault("set projects ignored", _SEARCH, "    if projects:", "    if False:"),
    Fault(
        "until exclusive",
        "wiql.py",
        'return f"[{field}] <= {_time(at)}"',
        'return f"[{field}] < {_time(at)}"',
    ),
    Fault("quote in words not escaped", "wiql.py", """.replace("'", "''")""", ""),
    Fault("limit off by one", _SOURCE, "most=query.limit)", "most=query.limit + 1)"),
    # What is recognised
    Fault(
        "short id from everywhere",
        _REFS,
        "if origin is not None and origin.account == self.account:",
        "if origin is not None:",
    ),
    Fault("older address forgotten", _REFS, "if parts.netloc.lower() == CLOUD:", "if False:"),
    Fault(
        "host not checked",
        _REFS,
        'rf"https?://(?:{places})(/',
        'rf"https?://(?:{places}|[^/\\s]+)(/',
    ),
    # What fails
    Fault(
        "blocked as anything else",
        _ERRORS,
        "if isinstance(plain, RateLimited) or _BLOCKED in message:",
        "if isinstance(plain, RateLimited):",
    ),
    Fault("sign-in page as a reply", _ERRORS, "return reply.status == 203", "return False"),
    Fault(
        "missing right as a bad login",
        _ERRORS,
        'return ScopeMissing(\n                f"the login lacks',
        'return LoginRefused(\n                f"the login lacks',
    ),
    Fault("conflict of one kind alone", _ERRORS, "case 409 | 412:", "case 409:"),
    # Who logs in
    Fault(
        "nobody as somebody",
        "identity.py",
        'if not name or text(who, "id") == _NOBODY:',
        "if not name:",
    ),
    Fault(
        "login name as identity",
        "identity.py",
        'name = text(who, "providerDisplayName") or text(who, "customDisplayName")',
        'name = text(who, "properties", "Account", "$value")',
    ),
    # What is listed
    Fault(
        "comments of the first page alone",
        _API,
        'return text(reply.json(), "continuationToken") or None',
        "return None",
    ),
    Fault(
        "projects of the first page alone",
        _API,
        'return reply.headers.get("x-ms-continuationtoken") or None',
        "return None",
    ),
    Fault("deletions not asked for", _API, "includeDeleted=True", "includeDeleted=False"),
    Fault(
        "first page of the log alone",
        _API,
        'is_last = value_at(reply.json(), "isLastBatch") is not False',
        "is_last = True",
    ),
    Fault(
        "items of other projects listed",
        _LIST,
        "if text(reply.fields, names.PROJECT) in projects:",
        "if True:",
    ),
    Fault(
        "all listed again",
        _LIST,
        "return self.seen.get(revision.id, 0) < revision.rev",
        "return True",
    ),
    Fault(
        "first container for all",
        _LIST,
        "container=text(reply.fields, names.PROJECT),",
        "container=scope.containers[0],",
    ),
    Fault(
        "listed without comments",
        "work_item_reader.py",
        "await self.comments(reply) if integer(reply.fields, names.COMMENTS) else ()",
        "()",
    ),
    # What is changed
    Fault(
        "key lost by an edit",
        "patches.py",
        "mark = find_hidden_mark(string(reply.fields, ref))",
        'mark = ""',
    ),
    Fault(
        "priority not turned",
        "patches.py",
        "return TURNED - change.priority if change.priority else None",
        "return change.priority or None",
    ),
    Fault(
        "no guard", "patches.py", "return [guard(reply.rev), *_operations(", "return [*_operations("
    ),
    Fault(
        "labels joined by the wrong sign",
        "patches.py",
        'return "; ".join(labels)',
        'return ", ".join(labels)',
    ),
    Fault(
        "comments of others taken for one's own",
        _WORK,
        "if mark in existing.text and self._is_own(existing) and not",
        "if mark in existing.text and not",
    ),
    Fault(
        "transitions ignored",
        _WORK,
        "allowed = every if transitions is None else [each.to for each in transitions]",
        "allowed = every",
    ),
    Fault(
        "last day of a sprint is over",
        _WORK,
        "ends.date() < now.date()",
        "ends.date() <= now.date()",
    ),
    Fault(
        "text of a new bug where nobody sees it",
        _WORK,
        "prose = names.STEPS if kind == _BUG else names.DESCRIPTION",
        "prose = names.DESCRIPTION",
    ),
)

#: Faults that change nothing that anybody can see, and why; they are not played.
EQUIVALENT: Final[Mapping[str, str]] = {
    "deleted comment shown": "Azure DevOps sends deleted comments to whoever asks for them, and the "
    "source does not ask: that it leaves them out is a second belt.",
}

_SEED: Final = 1128


def halves(faults: Sequence[Fault]) -> tuple[Sequence[Fault], Sequence[Fault]]:
    """Return the faults that the suite was improved by, and those held back."""
    drawn = [*faults]
    Random(_SEED).shuffle(drawn)  # noqa: S311  # a draw, not a secret
    middle = len(drawn) // 2
    return drawn[:middle], drawn[middle:]


def main(arguments: Sequence[str]) -> None:
    """Play the faults of one half, or of both, of each source."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("half", choices=("improved-by", "held", "all"), default="all", nargs="?")
    half: str = parser.parse_args(arguments).half
    faults: Mapping[str, Sequence[Fault]] = {"linear": LINEAR, "azure": AZURE}
    for kind, every in faults.items():
        first, held = halves(every)
        chosen = {"improved-by": first, "held": held, "all": every}[half]
        play(kind, [each for each in chosen if each.kind not in EQUIVALENT])


if __name__ == "__main__":
    main(sys.argv[1:])
