sed -n '/^## Sources/,/^## References/p' "$(rove --find TB-123)"
