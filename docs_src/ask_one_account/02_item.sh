rove sources item linear OPS-31
