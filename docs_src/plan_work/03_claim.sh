rove ready --claim --no-include-external --agent ana
rove ready --claim --no-include-external --agent ben || echo $?
