"""What docs/ is made of: the examples that its pages show, and what fills them in."""
