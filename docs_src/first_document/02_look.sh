cd ~/northwind
head -n 21 "$(rove --find TB-123)"
