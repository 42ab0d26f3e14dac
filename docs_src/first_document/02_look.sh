cd ~/northwind
head -n 9 "$(rove --find TB-123)"
