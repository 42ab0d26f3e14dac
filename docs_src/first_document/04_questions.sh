sed -n '/^## Open Questions/,/^## The Ticket/p' "$(rove --find TB-123)" | grep -o '“[^”]*”' | head -n 2
