rove sources recognise "TB-123 waits for northwind/backend#847; UTF-8 is no ticket"
