grep -m 1 '^— ' "$(rove --find TB-123)"
grep '^\[1\]: ' "$(rove --find TB-123)"
