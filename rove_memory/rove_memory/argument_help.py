"""Help texts of arguments that many operations share."""

from typing import Final

PROJECT_PATH: Final = "A folder of another project; default: this project."
AGENT: Final = "The agent's name; needed if several agents share a checkout."
MEMORY_KEY: Final = "The memory's key, or its id."
MEMORY_TYPE: Final = "Its type, if several memories have this key."
SESSION_ID: Final = "The session; default: the active session of this checkout."
TICKET: Final = "The ticket: TB-123."
