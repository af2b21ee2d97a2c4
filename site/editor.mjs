// Checks docs/hooks.schema.json in a real editor's server: what it completes, says, and underlines in application.yaml.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const SCHEMA = pathToFileURL(join(here, '../docs/hooks.schema.json')).href
const SERVER = join(here, 'node_modules/yaml-language-server/bin/yaml-language-server')
const SETTINGS = { schemas: { [SCHEMA]: '*' }, completion: true, hover: true, validate: true, schemaStore: { enable: false } }
const LIST = 'hooks:\n  tool_call:\n    pre_call:\n'

// The place of the cursor is written |>
const COMPLETED = [
  ['hooks:\n  |>\n', ['tool_call', 'llm_call', 'run', 'approval', 'audit', 'console'], 'Hooks around calls of tools.'],
  ['hooks:\n  tool_call:\n    |>\n', ['pre_call', 'post_call', 'unguarded', 'effects']],
  [`${LIST}      - |>\n`, ['type', 'match', 'mode', 'config'], 'Type of the hook'],
  [`${LIST}      - type: |>\n`, ['policy', 'approval', 'webhook', 'rate_limit'], 'limits how often calls pass'],
  [`${LIST}      - type: policy\n        config:\n          |>\n`, ['deny_tools', 'ask_tools', 'rules', 'packs'], 'Globs of the names of tools that must not run'],
  [`${LIST}      - type: policy\n        config:\n          rules:\n            - |>\n`, ['when', 'unless', 'then', 'reason']],
  [`${LIST}      - type: policy\n        config:\n          rules:\n            - then: |>\n`, ['ask', 'deny', 'abort']],
  [`${LIST}      house-rules:\n        type: webhook\n        config:\n          |>\n`, ['url', 'timeout', 'fail_open'], 'Address that calls are posted to'],
  [`${LIST}      - type: policy\n        mode: |>\n`, ['enforce', 'observe']],
  ['hooks:\n  approval:\n    |>\n', ['enabled', 'approvers', 'previews'], 'Whether people are asked about calls.'],
]

const HOVERED = [
  [`hooks:\n  tool_|>call:\n    pre_call: []\n`, '#### tool\\_call\n\nHooks around calls of tools.'],
  [`hooks:\n  tool_call:\n    pre_|>call:\n      - type: policy\n`, '#### pre\\_call: a list\n\nHooks that decide about a call before the tool runs'],
  [`hooks:\n  tool_call:\n    pre_|>call:\n      rules:\n        type: policy\n`, '#### pre\\_call: values by name\n\nHooks that decide'],
  [`${LIST}      - type: policy\n        na|>me: a\n`, '#### name\n\nName of the hook'],
  [`${LIST}      - type: policy\n        con|>fig: {deny_tools: ["a*"]}\n`, '#### config\n\nOptions of the type'],
  [`${LIST}      - type: pol|>icy\n`, '`policy`: denies or asks, by lists and by rules with conditions'],
  [`${LIST}      - type: policy\n        config:\n          deny_|>tools: ["a*"]\n`, 'Globs of the names of tools that must not run'],
  [`${LIST}      - type: policy\n        time|>out: 2s\n`, 'Time after which the hook counts as failed'],
  [`${LIST}      - type: policy\n        mode: obs|>erve\n`, 'is only logged and counted (observe)'],
]

const UNDERLINED = [
  [`${LIST}      - type: policy\n        config:\n          deny_tools: ["delete_*"]\n`, []],
  [`${LIST}      - type: policy\n        config:\n          deny_tool: ["delete_*"]\n`, ['6: Property deny_tool is not allowed.']],
  ['hooks:\n  tool_cal:\n    pre_call: []\n', ['2: Property tool_cal is not allowed.']],
  [`${LIST}      - name: a\n`, ['4: Missing property "type".']],
  [`${LIST}      - type: passthrough\n        timeout: soon\n`, ['5: A time, such as 500ms, 2s or 5m']],
  [`${LIST}      - type: passthrough\n        mode: dry-run\n`, ['5: Value is not accepted. Valid values: "enforce", "observe".']],
  ['hooks:\n  approval:\n    enabled: perhaps\n', ['3: Incorrect type. Expected "boolean".']],
]

const server = spawn(process.execPath, [SERVER, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
const waiting = new Map()
const underlined = new Map()
const found = []
let input = Buffer.alloc(0)
let last = 0

server.stdout.on('data', (data) => {
  input = Buffer.concat([input, data])
  for (let head = input.indexOf('\r\n\r\n'); head >= 0; head = input.indexOf('\r\n\r\n')) {
    const end = head + 4 + Number(/Content-Length: (\d+)/.exec(input.subarray(0, head))[1])
    if (input.length < end) {
      return
    }
    receive(JSON.parse(input.subarray(head + 4, end)))
    input = input.subarray(end)
  }
})

function send(message) {
  const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
  server.stdin.write(`Content-Length: ${text.length}\r\n\r\n`)
  server.stdin.write(text)
}

function receive({ id, method, params, result }) {
  if (method === 'workspace/configuration') {
    send({ id, result: params.items.map((item) => (item.section === 'yaml' ? SETTINGS : null)) })
  } else if (method === 'textDocument/publishDiagnostics') {
    underlined.get(params.uri)?.(params.diagnostics)
  } else if (method && id !== undefined) {
    send({ id, result: null })
  } else if (waiting.has(id)) {
    waiting.get(id)(result)
  }
}

function ask(method, params) {
  const id = ++last
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    send({ id, method, params })
  })
}

function open(text) {
  const uri = `file:///${++last}/application.yaml`
  const lines = text.slice(0, Math.max(0, text.indexOf('|>'))).split('\n')
  const opened = new Promise((resolve) => underlined.set(uri, resolve))
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text: text.replace('|>', '') } } })
  return { opened, at: { textDocument: { uri }, position: { line: lines.length - 1, character: lines.at(-1).length } } }
}

function check(is, text, wanted, got) {
  if (!is) {
    found.push(`${text}wanted: ${wanted}\ngot: ${got}\n`)
  }
}

const timer = setTimeout(() => {
  console.error('The server does not answer, or knows no schema')
  server.kill()
  process.exit(1)
}, 300_000)

await ask('initialize', { processId: process.pid, rootUri: null, capabilities: { workspace: { configuration: true },
  textDocument: { completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } }, hover: { contentFormat: ['markdown'] } } } })
send({ method: 'initialized', params: {} })
send({ method: 'workspace/didChangeConfiguration', params: { settings: { yaml: SETTINGS } } })

// The server answers before it has read the schema.
while (!(await ask('textDocument/hover', open('ho|>oks:\n').at))) {
  await new Promise((resolve) => setTimeout(resolve, 100))
}
for (const [text, labels, said] of COMPLETED) {
  const answer = await ask('textDocument/completion', open(text).at)
  const items = answer.items ?? answer
  const offered = items.map((item) => item.label)
  const texts = items.map((item) => item.documentation?.value ?? item.documentation ?? '')
  check(labels.every((label) => offered.includes(label)), text, labels, offered)
  check(new Set(offered).size === offered.length, text, 'each once', offered)
  check(!said || texts.some((each) => each.includes(said)), text, said, texts)
}
for (const [text, said] of HOVERED) {
  const shown = (await ask('textDocument/hover', open(text).at))?.contents?.value ?? 'nothing'
  check(shown.includes(said), text, said, shown)
}
for (const [text, mistakes] of UNDERLINED) {
  const got = (await open(text).opened).map((each) => `${each.range.start.line + 1}: ${each.message}`)
  check(got.join('\n') === mistakes.join('\n'), text, mistakes, got)
}

clearTimeout(timer)
server.kill()
if (found.length) {
  console.error(found.join('\n'))
  process.exit(1)
}
console.log(`${COMPLETED.length} completions, ${HOVERED.length} hovers and ${UNDERLINED.length} texts with mistakes are as they should be`)
