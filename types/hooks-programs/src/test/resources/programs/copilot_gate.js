// A hook for Copilot's preToolUse, whose arguments are JSON within JSON.
let text = '';
process.stdin.on('data', (part) => { text += part; });
process.stdin.on('end', () => {
  const call = JSON.parse(text);
  const args = JSON.parse(call.toolArgs);
  if (call.toolName === 'bash' && args.command.includes('drop table')) {
    console.log(JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: 'Tables stay' }));
    process.exitCode = 1;
  } else if (call.toolInput.command === 'ls') {
    console.log(JSON.stringify({ permissionDecision: 'allow', modifiedArgs: { command: 'ls -l' } }));
  }
});
