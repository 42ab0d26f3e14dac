"""A real server of a real project, as the benchmarks and campaigns use it."""
