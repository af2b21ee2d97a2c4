# A hook for Cursor's beforeShellExecution and beforeReadFile, with the names it had at first.
import json
import sys

event = json.load(sys.stdin)
if "git push" in event.get("command", ""):
    answer = {"continue": True, "permission": "deny", "userMessage": "Not pushed", "agentMessage": "Leave pushing to people"}
elif event.get("file_path", "").endswith(".pem"):
    answer = {"permission": "ask", "userMessage": "Read a key in %s?" % event["workspace_roots"][0]}
else:
    answer = {"permission": "allow"}
print(json.dumps(answer, indent=2))
