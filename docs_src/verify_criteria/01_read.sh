mkdir -p shop && cd shop && git init --quiet && mkdir tests
echo 'def test_png_is_shown(): ...' > tests/test_avatar.py
rove ac parse TB-123 --description - <<'END'
People want to see who wrote a comment.

## Acceptance criteria
- [ ] A PNG is shown at once
- [ ] Files over 5 MB are refused with a message
- [ ] The old avatar is deleted after a week
END
