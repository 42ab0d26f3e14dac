rove --demo ~/northwind
