rove --search authentication --json | python -c '
import json, sys
for found in json.load(sys.stdin)["results"]:
    print(found["ticket_id"], found["score"])
'
