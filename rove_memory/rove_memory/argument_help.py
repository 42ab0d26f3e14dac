"""The help of arguments that many operations take."""

from typing import Final

PROJECT_PATH: Final = "A folder of another project; this one unless given."
AGENT: Final = "How the agent calls itself; several in one checkout need names."
MEMORY_KEY: Final = "The memory's key, or its id."
MEMORY_TYPE: Final = "Its type, where several have that key."
