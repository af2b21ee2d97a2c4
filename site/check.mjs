// Checks the built site: links and anchors lead somewhere, no page is wider than its window, and search finds.
import { createServer } from 'node:http'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const dist = join(dirname(fileURLToPath(import.meta.url)), '.vitepress/dist')
const CHROMIUM = '/usr/bin/chromium'
const WIDTHS = [390, 1280]
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json', '.woff2': 'font/woff2' }
const QUESTIONS = {
  'deny a tool for one agent': 'decide/policy', 'approve over HTTP': 'ask/approvals-http', 'my rule does not match': 'start/troubleshooting',
  'limit per session': 'decide/limits', 'test a policy': 'start/test-your-hooks', 'kill switch': 'operate/events-and-runtime',
  'prompt injection': 'decide/flow', 'spring security': 'condition-language', 'who approved': 'operate/audit',
  'how do I approve a call from my phone': 'ask/approvals-notify', 'limit calls per user': 'decide/limits', redis: 'decide/shared-limits',
  'which licence': '/#licence', 'how do I verify the audit': 'operate/audit-verify',
  'how do I stop all tools at night': 'operate/events-and-runtime'
}

const found = []
const pages = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith('.html') && file !== '404.html')
const ids = new Map(pages.map((page) => [page, new Set([...html(page).matchAll(/ id="([^"]+)"/g)].map((match) => match[1]))]))

function html(page) {
  return readFileSync(join(dist, page), 'utf8')
}

function checkLinks() {
  let links = 0
  for (const page of pages) {
    for (const [, href] of html(page).matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), `http://site/${page}`)
      if (url.host !== 'site') {
        continue
      }
      links++
      const path = decodeURIComponent(url.pathname.slice(1))
      const target = path === '' || path.endsWith('/') ? `${path}index.html` : path
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (!ids.has(target)) {
        found.push(`${page}: no page ${href}`)
      } else if (anchor !== '' && !ids.get(target).has(anchor)) {
        found.push(`${page}: no anchor ${href}`)
      }
    }
  }
  return links
}

function serve() {
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://site').pathname
    const file = join(dist, path.endsWith('/') ? `${path}index.html` : path)
    try {
      const body = readFileSync(file)
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

async function checkPages(browser, origin) {
  for (const width of WIDTHS) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
      const tab = await context.newPage()
      tab.on('pageerror', (error) => found.push(`${tab.url()} at ${width}, ${colorScheme}: ${error.message}`))
      for (const page of pages) {
        await tab.goto(`${origin}/${page}`, { waitUntil: 'load' })
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        if (wide > 0) {
          found.push(`${page} at ${width}, ${colorScheme}: ${wide} pixels too wide`)
        }
        const dark = await tab.evaluate(() => document.documentElement.classList.contains('dark'))
        if (dark !== (colorScheme === 'dark')) {
          found.push(`${page} at ${width}: not ${colorScheme}`)
        }
      }
      await context.close()
    }
  }
}

async function checkSearch(browser, origin) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await tab.goto(origin, { waitUntil: 'networkidle' })
  for (const [question, page] of Object.entries(QUESTIONS)) {
    await tab.locator('.DocSearch-Button').first().click()
    await tab.locator('.VPLocalSearchBox input').fill(question)
    await tab.locator(`.VPLocalSearchBox li:nth-child(-n+3) .result[href*="${page}"]`).first().waitFor({ timeout: 60_000 })
      .catch(() => found.push(`Search for '${question}' has no ${page} among its first three`))
    await tab.keyboard.press('Escape')
  }
}

const links = checkLinks()
const server = await serve()
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
try {
  const origin = `http://127.0.0.1:${server.address().port}`
  await checkPages(browser, origin)
  await checkSearch(browser, origin)
} finally {
  await browser.close()
  server.close()
}
console.log(`${pages.length} pages, ${links} links, widths ${WIDTHS.join(' and ')} in light and dark`)
found.forEach((finding) => console.error(finding))
process.exitCode = found.length > 0 ? 1 : 0
