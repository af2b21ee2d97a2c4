// A hook for Node that answers with flat members.
let text = '';
process.stdin.on('data', (part) => { text += part; });
process.stdin.on('end', () => {
  const call = JSON.parse(text);
  const denied = /curl|wget/.test(call.tool_input.command);
  process.stdout.write(JSON.stringify(denied
    ? { permission: 'deny', agent_message: 'No downloads' }
    : { permission: 'allow' }) + '\n');
});
