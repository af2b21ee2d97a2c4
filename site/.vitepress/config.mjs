import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

// The pages stay where they are: this reads the Markdown of the repository, and changes nothing there.
const site = join(dirname(fileURLToPath(import.meta.url)), '..')
const root = join(site, '..')
const pages = [
  'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'GOVERNANCE.md', 'SECURITY.md',
  'hooks-sample-app/README.md', 'hooks-benchmarks/README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true }).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)
]
const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name)

/** The address of a page; README.md is the index of its folder. */
function address(page) {
  return `/${page.replace(/README\.md$/, '').replace(/\.md$/, '.html')}`
}

/** Anchors as GitHub makes them, since the links of the pages are written for it. */
function slugify(heading) {
  return heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replace(/ /g, '-')
}

/** Link to pages by their address. What is no page, such as code, is not on the site: its text stays. */
function linkPages(state) {
  const folder = posix.dirname(pageOf(state.env))
  for (const block of state.tokens.filter((token) => token.children)) {
    const ends = []
    for (const token of block.children) {
      if (token.type === 'link_close' && ends.pop()) {
        token.tag = 'span'
      }
      if (token.type !== 'link_open') {
        continue
      }
      const [path, anchor] = token.attrGet('href').split('#')
      const target = posix.normalize(posix.join(folder, path))
      const local = path !== '' && !/^[a-z]+:/.test(path)
      if (local && pages.includes(target)) {
        token.attrSet('href', address(target) + (anchor ? `#${anchor}` : ''))
      }
      const leftOut = local && !pages.includes(target)
      if (leftOut) {
        token.tag = 'span'
        token.attrs = [['title', target]]
      }
      ends.push(leftOut)
    }
  }
}

/** Leave out words that each question has: pages with many of them came first. This runs in the browser, too, and so stands alone. */
function processTerm(term) {
  const word = term.toLowerCase()
  return /^(an?|and|are|as|at|be|by|can|do|does|for|from|how|i|in|is|its?|me|my|of|on|or|our|should|that|the|this|to|we|what|where|which|why|with|you|your)$/
    .test(word) ? null : word
}

function pageOf(env) {
  return posix.relative(root, env.realPath ?? env.path)
}

/** Show the calls that a test makes of a block, which on GitHub are comments. */
function showCalls(md) {
  const html = md.renderer.rules.html_block
  md.renderer.rules.html_block = (tokens, index, options, env, self) => {
    const calls = [...tokens[index].content.matchAll(/^<!-- call: (.+) -> (\w+)(?:: (.+))? -->$/gm)]
    if (calls.length === 0) {
      return html(tokens, index, options, env, self)
    }
    const text = md.utils.escapeHtml
    return calls.map(([, call, end, why]) => `<p class="call call-${end}" v-pre><code>${text(call)}</code> `
        + `<b>${end}</b>${why ? ` <i>${text(why)}</i>` : ''}</p>\n`).join('')
  }
}

/** The groups of docs/README.md, with the first page of each line. That of the page is open. */
function groups() {
  return readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m).slice(1).map((group) => {
    const links = [...group.matchAll(/^\|.+\| \[[^\]]+]\(([^)#]+\.md)/gm)].map((match) => posix.join('docs', match[1]))
    return {
      text: group.split('\n', 1)[0],
      collapsed: true,
      items: [...new Set(links)].map((page) => ({ text: title(page), link: address(page) }))
    }
  })
}

function title(page) {
  return readFileSync(join(root, page), 'utf8').match(/^# (.+)$/m)[1].replaceAll('`', '')
}

const sidebar = groups()

export default defineConfig({
  title: 'Agent Hooks',
  description: 'A gate for the tool calls of AI agents on Spring Boot',
  lang: 'en',
  srcDir: '..',
  outDir: '.vitepress/dist',
  srcExclude: [
    ...folders.filter((name) => !['docs', 'hooks-sample-app', 'hooks-benchmarks'].includes(name)).map((name) => `${name}/**`),
    '*/src/**', '*/target/**'
  ],
  rewrites: Object.fromEntries(pages.filter((page) => page.endsWith('README.md'))
    .map((page) => [page, page.replace('README.md', 'index.md')])),
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    anchor: { slugify },
    config: (md) => {
      md.core.ruler.push('link_pages', linkPages)
      showCalls(md)
    }
  },
  vite: {
    plugins: [{
      // The pages are outside of this folder, where Vue would not be found.
      name: 'vue-of-the-site',
      enforce: 'pre',
      resolveId(id, importer, options) {
        return /^vue(\/|$)/.test(id) ? this.resolve(id, join(site, 'package.json'), { ...options, skipSelf: true }) : null
      }
    }],
    build: { chunkSizeWarningLimit: 2000 }
  },
  themeConfig: {
    nav: [
      ...sidebar.map(({ text, items }) => ({ text, link: items[0].link, activeMatch: `/docs/${text.toLowerCase()}/` })),
      { text: 'All pages', link: '/docs/', activeMatch: '/docs/$' }
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { miniSearch: { options: { processTerm } } } }
  }
})
