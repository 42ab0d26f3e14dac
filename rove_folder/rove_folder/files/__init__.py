"""The files of a linked folder: which there are, and how they are opened safely."""
