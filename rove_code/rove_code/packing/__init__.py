"""Choose which of the found code to show within a budget."""

from rove_code.packing.desk import ReadText
from rove_code.packing.pack import AnswerPack, pack

__all__ = ["AnswerPack", "ReadText", "pack"]
