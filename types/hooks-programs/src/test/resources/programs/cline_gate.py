#!/usr/bin/env python3
# A hook for Cline's PreToolUse, which has had two forms of input.
import json
import sys

event = json.load(sys.stdin)
old, new = event["preToolUse"], event["tool_call"]
if event["hookName"] != "PreToolUse" or (old["toolName"], old["parameters"]) != (new["name"], new["input"]):
    sys.exit("This is not Cline")
path = old["parameters"].get("path", "")
if path.endswith(".js"):
    print(json.dumps({"cancel": True, "errorMessage": "Write TypeScript"}))
elif path == "package.json":
    print(json.dumps({"review": True, "context": "It changes what is installed"}))
else:
    print(json.dumps({"cancel": False, "contextModification": "Keep it short"}))
