#!/bin/sh
# A Claude Code hook that only knows exit codes.
input=$(cat)
case $input in
*'rm -rf'*)
  echo '{"decision": "approve"}'
  echo "Never delete recursively" >&2
  exit 2
  ;;
esac
exit 0
