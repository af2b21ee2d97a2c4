// Makes the picture of the README of the running sample, in Chromium: docs/picture.gif, and docs/picture-dark.png for dark mode.
// Start the sample with the profiles secured,people before it: node picture.mjs [http://127.0.0.1:8080]
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import gifenc from 'gifenc'
import { chromium } from 'playwright-core'
import { PNG } from 'pngjs'

const site = dirname(fileURLToPath(import.meta.url))
const docs = join(site, '../docs')
const origin = process.argv[2] ?? 'http://127.0.0.1:8080'
const turns = JSON.parse(readFileSync(join(site, 'picture.json'), 'utf8'))
const WIDTH = 1000
const HEIGHT = 540
const SHOWN = 640
const PAGE = { width: 1000, height: Math.round((HEIGHT - 44) * 1000 / SHOWN) }
const MAX_SIZE = 1_500_000

/** Send a message to the agent as Ann, and return what the agent answers. */
async function ask(message) {
  const response = await request('/api/chat', { method: 'POST', body: JSON.stringify({ message, session_id: `picture-${Date.now()}` }) })
  return response.json()
}

async function request(path, options = {}) {
  const response = await fetch(origin + path, {
    ...options,
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${Buffer.from('ann:ann').toString('base64')}` }
  })
  if (!response.ok) {
    throw new Error(`${path}: ${response.status}`)
  }
  return response
}

async function until(what, check) {
  for (let i = 0; i < 300; i++) {
    if (await check()) {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`Not in a minute: ${what}`)
}

const text = (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** One frame: on the left what was said, on the right the page of the operators. */
async function frame(browser, colorScheme, lines, shown, title) {
  const tab = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme })
  const dark = colorScheme === 'dark'
  await tab.setContent(`<style>
    * { box-sizing: border-box }
    body { margin: 0; display: flex; height: ${HEIGHT}px; font: 15px/1.45 system-ui, sans-serif;
      background: ${dark ? '#15191c' : '#eef1f0'}; color: ${dark ? '#e6e9e8' : '#1c2321'} }
    .talk { width: ${WIDTH - SHOWN}px; padding: 14px 16px; display: flex; flex-direction: column; gap: 10px }
    h2 { margin: 0; height: 30px; font-size: 13px; font-weight: 600; opacity: .65; white-space: nowrap }
    .page { width: ${SHOWN}px; padding-top: 14px } .page img { display: block; width: ${SHOWN}px;
      border-left: 1px solid #8885; border-top: 1px solid #8885 }
    p { margin: 0; padding: 8px 12px; border-radius: 12px; max-width: 94%; overflow-wrap: anywhere }
    .user { align-self: flex-end; background: #1f6f54; color: #fff }
    .agent { align-self: flex-start; background: ${dark ? '#262c30' : '#fff'} }
    .call { align-self: flex-start; padding: 2px 4px; font: 12.5px/1.45 monospace; opacity: .85 }
    .denied { color: ${dark ? '#ff8a8a' : '#b3261e'} } .waits { color: ${dark ? '#f1c75b' : '#8a5a00'} }
    .runs { color: ${dark ? '#6fcfab' : '#1f6f54'} }
    </style>
    <div class="talk"><h2>Ann's agent (a script plays its model)</h2>${lines.map(([kind, line]) => `<p class="${kind}">${text(line)}</p>`).join('')}</div>
    <div class="page"><h2>${title}</h2><img src="data:image/png;base64,${shown.toString('base64')}"></div>`)
  const picture = await tab.screenshot()
  await tab.close()
  return picture
}

/** Scroll until the buttons of the question are to be seen. */
async function toButtons(tab) {
  await tab.waitForTimeout(1_000)
  await tab.locator('#approvals-pending article').first().getByRole('button', { name: 'Approve', exact: true })
    .evaluate((button) => button.scrollIntoView({ block: 'end' }))
  await tab.mouse.wheel(0, 40)
  await tab.waitForTimeout(500)
}

async function console_(browser, colorScheme) {
  const context = await browser.newContext({
    viewport: PAGE, colorScheme, httpCredentials: { username: 'boss', password: 'boss', send: 'always' }
  })
  return context.newPage()
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
try {
  const frames = []
  const boss = await console_(browser, 'light')
  const lines = []
  const show = async (title, ...more) => {
    lines.push(...more)
    frames.push(await frame(browser, 'light', lines, await boss.screenshot(), title))
  }
  const OPERATOR = 'The boss looks at /hooks'

  await boss.goto(`${origin}/hooks#approvals`, { waitUntil: 'networkidle' })
  const card = boss.locator('#approvals-pending article')
  while (await card.count() > 0) {
    await boss.locator('#approvals-pending:not([aria-busy])').waitFor()
    await card.first().getByRole('button', { name: 'Deny', exact: true }).click()
    await boss.waitForTimeout(2_000)
  }
  await show(OPERATOR, ['user', turns.mail.says])
  const waiting = await ask(turns.mail.message)
  if (waiting.finish_reason !== 'pending') {
    throw new Error(`The mail does not wait: ${JSON.stringify(waiting)}`)
  }
  await card.first().waitFor()
  await toButtons(boss)
  await show(OPERATOR, ['call', 'send_email to eve@other.example'], ['call waits', '... waits for a person'])

  const dark = await console_(browser, 'dark')
  await dark.goto(`${origin}/hooks#approvals`, { waitUntil: 'networkidle' })
  await dark.locator('#approvals-pending article').first().waitFor()
  await toButtons(dark)
  writeFileSync(join(docs, 'picture-dark.png'), await frame(browser, 'dark', lines, await dark.screenshot(), OPERATOR))

  const sent = async () => (await (await request('/api/outbox')).text()).split('eve@other.example').length
  const before = await sent()
  await boss.locator('#approvals-pending:not([aria-busy])').waitFor()
  await card.first().getByRole('button', { name: 'Approve', exact: true }).click()
  await until('the mail is sent', async () => await sent() > before)
  await boss.locator('#approvals-settled tbody tr').first().waitFor()
  await boss.waitForTimeout(2_500)
  await show('The boss approves', ['call runs', '✓ approved by boss, the mail is sent'])

  const denied = await ask(turns.destroys.message)
  const call = denied.tool_calls[0]
  if (call.status !== 'denied') {
    throw new Error(`The call is not denied: ${JSON.stringify(denied)}`)
  }
  await boss.goto(`${origin}/hooks#calls`, { waitUntil: 'networkidle' })
  await boss.getByText(call.tool_name).first().evaluate((row) => row.scrollIntoView({ block: 'center' }))
  await boss.waitForTimeout(2_500)
  await show('Every call is on record', ['user', turns.destroys.says],
      ['call', `${call.tool_name} ${turns.destroys.message.replace(/^\S+ /, '')}`], ['call denied', `✗ denied by ${call.decided_by}`],
      ['agent', denied.answer])

  const gif = gifenc.GIFEncoder()
  const delays = [1_800, 4_000, 3_500, 5_000]
  frames.forEach((picture, index) => {
    const { data, width, height } = PNG.sync.read(picture)
    const palette = gifenc.quantize(data, 256)
    gif.writeFrame(gifenc.applyPalette(data, palette), width, height, { palette, delay: delays[index] })
  })
  gif.finish()
  const bytes = gif.bytes()
  if (bytes.length > MAX_SIZE) {
    throw new Error(`The picture has ${bytes.length} bytes`)
  }
  writeFileSync(join(docs, 'picture.gif'), bytes)
  frames.forEach((picture, index) => process.env.FRAMES && writeFileSync(join(process.env.FRAMES, `frame-${index}.png`), picture))
  console.log(`docs/picture.gif: ${frames.length} frames, ${bytes.length} bytes`)
} finally {
  await browser.close()
}
