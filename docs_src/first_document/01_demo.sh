rove --demo northwind
