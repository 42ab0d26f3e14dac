rove mentions --help
