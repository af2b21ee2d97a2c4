# A hook that exits with 2, and says why as JSON.
import json
import sys

json.load(sys.stdin)
print(json.dumps({"block": True, "message": "Said as JSON"}))
sys.exit(2)
