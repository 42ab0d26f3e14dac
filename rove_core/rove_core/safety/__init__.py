"""Make text from outside harmless and keep secrets out of files."""
