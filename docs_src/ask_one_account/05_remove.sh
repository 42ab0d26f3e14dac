rove sources remove linear
