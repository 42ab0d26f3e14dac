echo "Ask Dana how the private key is rotated." >> "$(rove --find TB-123)"
rove --demo ~/northwind
tail -n 1 "$(rove --find TB-123)"
