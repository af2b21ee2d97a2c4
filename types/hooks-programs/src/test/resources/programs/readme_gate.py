import json, sys

for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message["params"]
    if method == "hook.hello":
        result = {"ok": True, "name": "review_gate"}
    elif method == "hook.before_tool" and "rm -rf" in params["arguments"].get("command", ""):
        result = {"action": "deny_tool", "reason": "Never delete recursively"}
    else:
        result = {"action": "continue"}
    if "id" in message:                                # events have none
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
