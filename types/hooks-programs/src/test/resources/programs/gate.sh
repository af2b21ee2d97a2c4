#!/bin/sh
# A process hook in sh, which finds the id with sed.
while read -r line; do
  id=$(printf %s "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case $line in
  *'"method":"hook.hello"'*) result='{"ok": true}' ;;
  *'rm -rf'*) result='{"action": "deny_tool", "reason": "no"}' ;;
  *) result='{"action": "continue"}' ;;
  esac
  printf '{"jsonrpc": "2.0", "id": %s, "result": %s}\n' "$id" "$result"
done
