"""One-line faults of Jira's and Slack's sources: ``python -m benchmarks mutants_vendors``.

The kinds of mistake were listed first (a field lost, a time of another thing, a page or a window
left out, a failure hidden, a relation turned, a thing done twice), and then placed in the code.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.mutants import Fault
from benchmarks.mutants_github import play_chosen

_ITEMS: Final = "items.py"
_FACTS: Final = "facts.py"
_LIST: Final = "listing.py"
_WORK: Final = "work.py"
_FIELDS: Final = "work_items.py"
_SEARCH: Final = "search.py"
_SOURCE: Final = "source.py"
_MESSAGES: Final = "messages.py"

_JIRA: Final = (
    # What is read
    Fault("title is the key", _ITEMS, 'title=text(fields, "summary") or key', "title=key"),
    Fault(
        "created for changed",
        _ITEMS,
        'timestamp=changed(issue) or moment(fields, "created") or UNKNOWN_TIME',
        'timestamp=moment(fields, "created") or UNKNOWN_TIME',
    ),
    Fault(
        "the assignee wrote it",
        _ITEMS,
        'creator = text(fields, "creator", "displayName")',
        'creator = text(fields, "assignee", "displayName")',
    ),
    Fault(
        "an edited comment keeps its first time",
        _ITEMS,
        'timestamp=moment(comment, "updated") or created or UNKNOWN_TIME',
        "timestamp=created or UNKNOWN_TIME",
    ),
    Fault("history as if somebody said it", _ITEMS, "Facts(on=key, history=True)", "Facts(on=key)"),
    Fault("no comments", _ITEMS, "for comment in parts.comments]", "for comment in ()]"),
    Fault(
        "changes behind all comments",
        _ITEMS,
        'found.sort(key=lambda pair: moment(pair[0], "created") or pair[1].timestamp)',
        "found.sort(key=lambda pair: pair[1].facts.history)",
    ),
    Fault("no links", _ITEMS, "for other in dict.fromkeys(related(issue))", "for other in ()"),
    Fault(
        "parent as any relation",
        "related_tickets.py",
        '_one("parent", "is part of"',
        '_one("relates", "is part of"',
    ),
    Fault("to do counts as under way", _FACTS, '"new": "todo",', '"new": "in_progress",'),
    Fault("no priority", _FACTS, 'priority=text(fields, "priority", "name"),', 'priority="",'),
    Fault(
        "reporter for assignee",
        _FACTS,
        'assignee = text(fields, "assignee", "displayName")',
        'assignee = text(fields, "reporter", "displayName")',
    ),
    Fault("no labels", _FACTS, 'labels=tuple(texts(fields, "labels")),', "labels=(),"),
    Fault("no resolution", _FACTS, 'resolution=text(fields, "resolution", "name"),', ""),
    # What is found
    Fault(
        "the first page alone",
        _SEARCH,
        'return None if value_at(page, "isLast") is True else text(page, "nextPageToken")',
        "return None",
    ),
    Fault(
        "one of several words is enough",
        _SEARCH,
        "yield jql.any_of(places)",
        "yield jql.any_of(places); return",
    ),
    Fault(
        "fields ignored",
        _SEARCH,
        'for field in (texts if query.fields else ["text"])]',
        'for field in ["text"]]',
    ),
    Fault("order left to the vendor", "jql.py", 'f"{where} ORDER BY updated DESC"', "where"),
    Fault(
        "nothing checks the window",
        _SOURCE,
        "if at is None or query.covers(at):",
        "if True:",
    ),
    Fault("limit ignored", _SOURCE, "left -= 1", "left -= 0"),
    Fault(
        "any host is ours",
        "references.py",
        'hosts = "|".join(map(re.escape, self.hosts))',
        'hosts = "[^/]*"',
    ),
    # What fails
    Fault(
        "an outage is a missing ticket",
        "errors.py",
        "    if plain is None or reply.status >= 500:\n        return plain",
        "    if plain is None:\n        return plain\n"
        '    if reply.status >= 500:\n        return ItemNotFound("gone")',
    ),
    Fault(
        "a missing right is a lost login",
        "errors.py",
        "        case 401 | 403:\n            return _scope(account, message)",
        "        case 401 | 403:\n            return _refusal(account, reply, message)",
    ),
    Fault(
        "a gap is not mentioned",
        _ITEMS,
        "facts=evolve(facts(issue), incomplete=tuple(parts.gaps)),",
        "facts=facts(issue),",
    ),
    # What is listed
    Fault(
        "containers ignored",
        _LIST,
        "projects = [each for each in scope.containers or readable if each in readable]",
        "projects = readable",
    ),
    Fault(
        "gone is not told", _LIST, "yield ListedChange(gone=self.fetch.tickets.ref(name))", "pass"
    ),
    Fault(
        "whole without a discussion",
        _LIST,
        "item = await self.fetch.listed(issue)",
        "item = self.fetch.tickets.ticket(issue)",
    ),
    Fault("no work in the listing", _LIST, "work=work, whole", "work=None, whole"),
    # What is changed
    Fault("no guard", _WORK, 'if change.if_revision not in ("", before.revision):', "if False:"),
    Fault(
        "a revision for a second",
        _FIELDS,
        'revision = f"{work.updated.isoformat()} {digest[:16]}"',
        'revision = f"{work.updated:%Y-%m-%d %H:%M}"',
    ),
    Fault(
        "the status is left out",
        _WORK,
        "    if transition:\n            body",
        "    if False:\n            body",
    ),
    Fault("high is highest", _FIELDS, '"high": 3,', '"high": 4,'),
    Fault(
        "a label is added to the others",
        _FIELDS,
        "[*(change.labels or ())]",
        '["old", *(change.labels or ())]',
    ),
    Fault(
        "due cannot be cleared",
        _FIELDS,
        "change.due.isoformat() if change.due else None",
        'change.due.isoformat() if change.due else "2031-01-15"',
    ),
    Fault("created without its parent", _WORK, "        if new.parent:", "        if False:"),
    Fault(
        "created anew by each try",
        _WORK,
        "if there := await created_ticket(self.site, new):",
        "if there := None:",
    ),
    Fault(
        "commented again by each try",
        _WORK,
        "dialect.mark(content) == mark:",
        "dialect.mark(content) is None:",
    ),
    Fault(
        "a comment is never changed",
        _WORK,
        "if dialect.raw(content) != dialect.raw(document):",
        "if False:",
    ),
    Fault(
        "the current status is offered", _WORK, "if status and status.name != own:", "if status:"
    ),
    Fault(
        "readers may write", "identity.py", "writes=await _writes(site, scopes),", "writes=True,"
    ),
)

_SLACK: Final = (
    # What is read
    Fault(
        "answers in the reverse order",
        _ITEMS,
        "thread=tuple(answers)",
        "thread=tuple(answers[::-1])",
    ),
    Fault("the first answer lost", _ITEMS, "thread=tuple(answers)", "thread=tuple(answers[1:])"),
    Fault("an answer has the root's time", _ITEMS, "at = message.at or at\n", "at = at\n"),
    Fault("channel lost", _MESSAGES, "channel=place.channel,", 'channel="",'),
    Fault(
        "a guest is a member",
        _MESSAGES,
        "guest=person is not None and person.guest,",
        "guest=False,",
    ),
    Fault("files lost", _MESSAGES, "attachments=tuple(self.files),", "attachments=(),"),
    Fault(
        "file names lost in the words",
        _MESSAGES,
        '*(f"[file: {within(name)}]" for name in self.files),',
        "",
    ),
    Fault("the id for the name", _MESSAGES, 'person.name if (person := self._person) else "",', ""),
    Fault(
        "title lost", _ITEMS, "title=_title(message.content) or place.title,", "title=place.title,"
    ),
    Fault(
        "any host in addresses",
        _ITEMS,
        "link = address(host or self.host, channel, root)",
        'link = address("slack.com", channel, root)',
    ),
    Fault(
        "answers without an address",
        _ITEMS,
        "url=address(self.host, channel, message.ts, root),",
        'url="",',
    ),
    Fault("talk is a comment", _ITEMS, 'role="talk"', 'role="comment"'),
    # What is found
    Fault(
        "the first page of words alone",
        _SEARCH,
        'found = mapping(mapping(reply.json()).get("messages"))\n    return',
        "found = mapping(reply.json())\n    return",
    ),
    Fault(
        "answers count as roots",
        _SEARCH,
        "if (CONTENT if hit.link.ts == hit.link.root else REPLIES) in fields:",
        "if True:",
    ),
    Fault(
        "a thread for each message",
        _SEARCH,
        "seen.add(hit.link.thread)\n                yield hit",
        "yield hit",
    ),
    Fault("window ignored", _SEARCH, "or not terms.query.covers(hit.at)", ""),
    Fault("limit ignored", _SEARCH, "if len(seen) >= query.limit:", "if False:"),
    Fault(
        "ranked by the vendor",
        _SEARCH,
        '"sort": "timestamp",\n            "limit"',
        '"sort": "score",\n            "limit"',
    ),
    Fault(
        "only the first word",
        "search_terms.py",
        'return " ".join(f\'"{term}"\' for term in self.terms)',
        'return " ".join(f\'"{term}"\' for term in self.terms[:1])',
    ),
    Fault(
        "no until",
        "search_terms.py",
        "        if self.query.until:\n            window[until]",
        "        if False:\n            window[until]",
    ),
    # What is recognised
    Fault(
        "links of any workspace",
        _SOURCE,
        "permalinks(text) if link.host in own]",
        "permalinks(text)]",
    ),
    Fault(
        "the answer for its thread",
        "references.py",
        "root = thread[1] if thread else ts",
        "root = ts",
    ),
    Fault(
        "the first link alone",
        _SOURCE,
        "for link in permalinks(text) if link.host in own]",
        "for link in [*permalinks(text)][:1] if link.host in own]",
    ),
    # What is listed
    Fault("answers are not listed", _LIST, 'if root.get("reply_count"):', "if False:"),
    Fault(
        "an edit is not listed",
        _LIST,
        "== _digest(root) and ts not in lively:",
        '!= "" and ts not in lively:',
    ),
    Fault(
        "gone is not told",
        _LIST,
        "yield ListingStep(gone, place.mark())",
        "yield ListingStep(ListedChange(), place.mark())",
    ),
    Fault(
        "since ignored",
        _LIST,
        'since = f"{at.timestamp():.6f}" if scope.since else ""',
        'since = ""',
    ),
    Fault(
        "containers ignored", _LIST, "names = scope.containers or [*titles]", "names = [*titles]"
    ),
    # What fails, and who logs in
    Fault(
        "a refusal is nothing found",
        "errors.py",
        '(LoginRefused, "Slack does not accept the token"),',
        '(ItemNotFound, "Slack does not accept the token"),',
    ),
    Fault(
        "no host is its own",
        _SOURCE,
        "hosts=(*filter(None, [host]), *file_hosts(self._account)),",
        'hosts=("*",),',
    ),
    Fault("nobody", _SOURCE, 'name=string(who, "user") or string(who, "user_id"),', 'name="",'),
    Fault(
        "scopes asked by each call",
        _SOURCE,
        "return evolve(credential, hosts=hosts_of(self._account))",
        'return evolve(credential, hosts=(*hosts_of(self._account), "elsewhere.example"))',
    ),
)

FAULTS: Final[Mapping[str, Sequence[Fault]]] = {"jira": _JIRA, "slack": _SLACK}


def main(arguments: Sequence[str]) -> None:
    """Play each fault, and print what was caught and what was not."""
    play_chosen(arguments, FAULTS)


if __name__ == "__main__":
    main(sys.argv[1:])
