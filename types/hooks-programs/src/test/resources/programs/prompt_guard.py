#!/usr/bin/env python3
"""A hook for UserPromptSubmit, as it is written for Claude Code."""
import json
import re
import sys

data = json.load(sys.stdin)
if data["hook_event_name"] != "UserPromptSubmit":
    sys.exit(1)
prompt = data["prompt"]
if re.search(r"(?i)password\s*[:=]", prompt):
    print(json.dumps({"decision": "block", "reason": "The prompt holds a password",
                      "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "suppressOriginalPrompt": True}}))
elif "production" in prompt:
    print("Never in production", file=sys.stderr)
    sys.exit(2)
elif prompt == "stop":
    print(json.dumps({"continue": False, "stopReason": "Enough for today"}))
elif "when" in prompt:
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "UserPromptSubmit",
                                             "additionalContext": "It is Monday"}}))
elif prompt != "Hi":
    print("Current branch: main")
