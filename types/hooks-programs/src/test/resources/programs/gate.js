// A process hook for Node in the dialect of PicoClaw's manual.
const readline = require('readline');
const respond = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\n');
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'hook.hello') {
    respond(id, { name: 'node_gate', protocol_version: params.protocol_version });
  } else if (method === 'hook.before_tool') {
    if (params.name === 'my_plugin_tool') {
      respond(id, { decision: { action: 'respond' }, hook_result: { for_llm: 'Plugin tool executed', is_error: false } });
    } else if (params.args.command === 'rm') {
      respond(id, { decision: { action: 'deny_tool', reason: 'no rm' } });
    } else {
      respond(id, { decision: { action: 'continue' } });
    }
  } else if (method === 'hook.approve_tool') {
    respond(id, { allow: params.args.command !== 'dd' });
  }
});
