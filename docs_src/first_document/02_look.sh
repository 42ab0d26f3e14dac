cd ~/northwind
head -n 11 "$(rove --find TB-123)"
