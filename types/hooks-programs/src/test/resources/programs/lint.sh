#!/bin/sh
# A Claude Code hook for PostToolUse.
input=$(cat)
case $input in
*'"hook_event_name":"PostToolUseFailure"'*) echo "it failed after $(printf %s "$input" | sed 's/.*"duration_ms":\([0-9.]*\).*/\1/' | grep -c .) ms" ;;
*bad.txt*) echo "bad.txt has a tab in line 3" >&2; exit 2 ;;
*block.txt*) echo '{"decision": "block", "reason": "Format it first"}' ;;
*secret.txt*) echo '{"decision": "deny", "reason": "It holds a secret"}' ;;
*long.txt*) echo '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": "a summary", "additionalContext": "It was shortened"}}' ;;
*end.txt*) echo '{"continue": false, "stopReason": "Enough for today"}' ;;
*text.txt*) echo "Formatted" ;;
*crash.txt*) exit 1 ;;
esac
