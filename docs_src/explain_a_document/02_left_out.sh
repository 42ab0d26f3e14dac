rove explain TB-123 --json | python -c '
import json, sys
for item in json.load(sys.stdin)["items"]:
    if not item["kept"]:
        print(item["id"], item["hop"], item["reason"])
' | head -n 4
