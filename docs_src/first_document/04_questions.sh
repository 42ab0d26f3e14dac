sed -n '/^## Open Questions/,/^## Also Found/p' "$(rove --find TB-123)" | grep -o '“[^”]*”' | head -n 2
