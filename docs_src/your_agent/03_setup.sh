rove setup claude agents-md
