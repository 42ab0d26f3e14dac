rove ac status TB-123
rove ac check TB-123
