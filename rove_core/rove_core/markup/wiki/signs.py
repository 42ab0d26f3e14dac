"""Signs of wiki markup that its reader and writer share."""

from typing import Final

#: An address that Jira makes a link of by itself.
ADDRESS: Final = r"\b(?:https?|ftp)://[^\s|\[\]{}<>\"\\]+"
#: A character by its number or its name, as HTML has them.
ENTITY: Final = r"&(?:\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
