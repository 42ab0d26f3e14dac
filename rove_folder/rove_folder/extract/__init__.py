"""The text of a file, taken out in a child process with limits."""
