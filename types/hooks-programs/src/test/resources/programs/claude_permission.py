# A hook for Claude Code's PermissionRequest, which crashes if anything is missing.
import json
import sys

event = json.load(sys.stdin)
names = ["session_id", "transcript_path", "cwd", "permission_mode", "hook_event_name", "tool_name", "tool_use_id"]
if not all(isinstance(event[name], str) for name in names):
    sys.exit("Not a text")
if event["tool_name"] != "Bash":
    sys.exit(0)
if event["tool_input"]["command"].startswith("ls"):
    decision = {"behavior": "allow"}
else:
    decision = {"behavior": "deny", "message": "Only ls in mode " + event["permission_mode"]}
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}))
