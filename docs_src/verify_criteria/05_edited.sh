rove ac parse TB-123 --description - <<'END'
## Acceptance criteria
- [ ] A PNG is shown at once
- [ ] Files over 10 MB are refused with a message
- [ ] Screen readers say who it is
END
