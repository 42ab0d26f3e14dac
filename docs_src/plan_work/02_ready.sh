rove ready --no-include-external
rove ready --explain
