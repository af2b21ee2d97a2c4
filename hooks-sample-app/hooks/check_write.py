#!/usr/bin/env python3
"""A command hook, as Claude Code knows it: started for each call, which stands on its standard input.

Agents do not write programs, nor what takes over a terminal that shows it.
"""
import json
import sys

call = json.load(sys.stdin)
path = call["tool_input"].get("path", "")
content = call["tool_input"].get("content", "")

if "\x1b" in content:
    print("Files have no escape sequences", file=sys.stderr)
    sys.exit(2)

if path.endswith(".sh") or content.startswith("#!"):
    print(json.dumps({"hookSpecificOutput": {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": "Agents do not write programs",
    }}))
