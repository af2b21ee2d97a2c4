#!/bin/sh
# A hook for Windsurf's pre_run_command, which only knows exit codes, and reads one line.
set -e
read -r input
command=$(printf %s "$input" | sed -n 's/.*"agent_action_name":"pre_run_command".*"command_line":"\([^"]*\)".*/\1/p')
case $command in
'npm publish'*)
  echo "Releases are made elsewhere" >&2
  exit 2
  ;;
esac
