"""Operations on sessions, with the published names and arguments."""

from typing import Final

from rove_memory.sessions.context_operation import CONTEXT
from rove_memory.sessions.end_operation import END
from rove_memory.sessions.note_operation import NOTE
from rove_memory.sessions.start_operation import START

SESSION_OPERATIONS: Final = (START, END, NOTE, CONTEXT)
