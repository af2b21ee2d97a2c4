#!/usr/bin/env python3
"""A Claude Code hook that answers with the nested JSON and exit code 0."""
import json
import sys

call = json.load(sys.stdin)
assert call["hook_event_name"] == "PreToolUse", call
command = call["tool_input"].get("command", "")
output = {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
if "sudo" in command:
    output |= {"permissionDecision": "deny", "permissionDecisionReason": "sudo is not for agents"}
elif command.startswith("git push"):
    output |= {"permissionDecision": "ask", "permissionDecisionReason": "Push to a remote?"}
elif command == "ls":
    output |= {"updatedInput": {"command": "ls -la"}, "additionalContext": "Hidden files are listed, too"}
print(json.dumps({"hookSpecificOutput": output}))
