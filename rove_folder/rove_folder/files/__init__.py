"""The files of a linked folder, and how to open them safely."""
