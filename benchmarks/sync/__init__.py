"""A simulator of trackers with an oracle: does the two-way sync lose, double or overwrite?"""
