id() { python3 -c 'import json, sys; print(json.load(sys.stdin)["id"])'; }
resize=$(rove plan create "Resize what people upload" --external-item-id TB-123 --priority 3 --json | id)
store=$(rove plan create "Store an avatar for each user" --external-item-id TB-123 --blocked-by $resize --json | id)
rove plan create "Show the avatar beside comments" --external-item-id TB-123 --blocked-by $store --json > page.json
rove plan list
