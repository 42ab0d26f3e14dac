"""Examples for the help page of each command."""

from collections.abc import Mapping, Sequence
from typing import Final

#: By the command.
EXAMPLES: Final[Mapping[str, Sequence[str]]] = {
    "build": (
        "rove build TB-123",
        "rove build TB-123 TB-124 --since '30 days ago'",
        "rove build https://acme.atlassian.net/browse/TB-123",
        "rove build 'How do we rotate keys?'",
    ),
    "cancel": ("rove cancel TB-123", "rove cancel --all"),
    "completion": ('eval "$(rove completion bash)"', "rove completion zsh"),
    "demo": ("rove demo", "rove demo ~/rove-demo"),
    "doctor": ("rove doctor", "rove doctor --fix"),
    "eval": ("rove eval", "rove eval --worst 20"),
    "explain": ("rove explain TB-123",),
    "learn": ("rove learn",),
    "find": ("rove find TB-123", "rove find TB-123 --name-only"),
    "help": ("rove help build", "rove help ROVE-AUTH-002"),
    "list": ("rove list", "rove list --source linear"),
    "man": ("rove man", "rove man --output ~/.local/share/man/man1"),
    "mirror drop": ("rove mirror drop jira", "rove mirror drop all"),
    "mirror scope": ("rove mirror scope jira", "rove mirror scope jira --add TB --keep 365d"),
    "mirror start": ("rove mirror start jira", "rove mirror start jira --container TB"),
    "mirror status": ("rove mirror status",),
    "mirror stop": ("rove mirror stop jira",),
    "mirror update": ("rove mirror update", "rove mirror update --account jira"),
    "open": ("rove open TB-123", "rove open TB-123 --no-browser"),
    "plugins check": ("rove plugins check rove-acme",),
    "plugins new": ("rove plugins new acme",),
    "preview": ("rove preview oauth",),
    "prime": ("rove prime", "rove prime --branch feature/TB-123-login"),
    "purge": ("rove purge", "rove purge --yes"),
    "refresh": ("rove refresh TB-123", "rove refresh --all"),
    "reindex": ("rove reindex",),
    "remove": ("rove remove TB-123",),
    "search": ("rove search 'token rotation'", "rove search JWT --limit 5 --everywhere"),
    "server start": ("rove server start",),
    "server status": ("rove server status",),
    "server stop": ("rove server stop",),
    "settings": ("rove settings",),
    "settings edit": ("rove settings edit", "rove settings edit --global"),
    "settings get": ("rove settings get context.max_tokens",),
    "settings set": ("rove settings set context.max_tokens 6000",),
    "settings unset": ("rove settings unset context.max_tokens",),
    "setup": ("rove setup claude", "rove setup --check"),
    "show": ("rove show TB-123", "rove show TB-123 | less"),
    "skill": ("rove skill",),
    "sources add": ("rove sources add jira", "rove sources add jira --account jira:work"),
    "sources default": ("rove sources default jira:work",),
    "sources item": ("rove sources item jira TB-123",),
    "sources list": ("rove sources list",),
    "sources move-logins": ("rove sources move-logins --to keychain",),
    "sources plugins": ("rove sources plugins",),
    "sources recognise": ("rove sources recognise 'See TB-123 and #42'",),
    "sources unuse": ("rove sources unuse slack",),
    "sources use": ("rove sources use jira slack",),
    "sources remove": ("rove sources remove jira:work",),
    "sources rename": ("rove sources rename jira:work jira:acme",),
    "sources schema": ("rove sources schema jira",),
    "sources search": ("rove sources search slack oauth",),
    "sources test": ("rove sources test jira",),
    "status": ("rove status", "rove status --watch"),
    "trust": ("rove trust",),
    "verify": ("rove verify TB-123",),
    "version": ("rove version",),
}


def epilog(command: str) -> str | None:
    """Return the examples of a command for the end of its help page; None if it has none."""
    examples = EXAMPLES.get(command)
    if not examples:
        return None
    # Click keeps the lines of a paragraph that begins so.
    return "\b\n" + "\n".join(["Examples:", *(f"  {example}" for example in examples)])
