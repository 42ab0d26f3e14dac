"""Extract the text of files, in a child process with limits."""
