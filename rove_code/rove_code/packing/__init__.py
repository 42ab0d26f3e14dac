"""What of the code that was found is shown, so that it keeps within a budget."""

from rove_code.packing.desk import ReadText
from rove_code.packing.pack import AnswerPack, pack

__all__ = ["AnswerPack", "ReadText", "pack"]
