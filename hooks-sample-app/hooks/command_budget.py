#!/usr/bin/env python3
"""A process hook, in PicoClaw's protocol: started once, then asked about every call, one line of JSON-RPC each.

Because it lives on it can count: a session gets a number of commands, and no more.
"""
import collections
import json
import os
import sys

BUDGET = int(os.environ.get("COMMAND_BUDGET", "3"))

asked = collections.Counter()

for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message["params"]
    if method == "hook.hello":
        result = {"ok": True, "name": "command_budget"}
    elif method == "hook.before_tool":
        session = params["meta"]["SessionKey"]
        asked[session] += 1
        if asked[session] > BUDGET:
            result = {"action": "deny_tool", "reason": f"This session has used its {BUDGET} commands"}
        else:
            result = {"action": "continue"}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
