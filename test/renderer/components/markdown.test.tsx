import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Markdown } from '../../../renderer/components/markdown.tsx'
import { markdownBlocks } from '../../../renderer/components/markdown-blocks.ts'
import { RedactedText } from '../../../renderer/components/redacted.tsx'

const rendered = (text: string) => renderToStaticMarkup(<Markdown text={text} />)

describe('an answer on screen', () => {
  test('raw HTML is text', () => {
    const html = rendered('<img src=x onerror=alert(1)> and <script>alert(2)</script>')
    expect(html).not.toContain('<img')
    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;img src=x')
  })

  test('an image is named and never fetched', () => {
    const html = rendered('![the chart](https://img.example.com/a.png)')
    expect(html).not.toContain('<img')
    expect(html).toContain('the chart, img.example.com')
  })

  test('a dangerous address keeps its text and loses its link', () => {
    const html = rendered('[click](javascript:alert(1))')
    expect(html).toContain('click')
    expect(html).not.toContain('<a ')
    expect(html).not.toContain('javascript:')
  })

  test('the offer to connect a model is a button', () => {
    expect(rendered('[Connect](threadsmith://settings/models)')).toMatch(/<button[^>]*>Connect a model<\/button>/)
  })

  test('tables, code and lists are drawn', () => {
    const html = rendered('| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nls -l\n```\n\n1. one\n2. two')
    expect(html).toContain('<table>')
    expect(html).toContain('ls -l')
    expect(html).toContain('<ol>')
  })

  test('a column of figures is set as figures, a column of words is not', () => {
    const rows =
      '| Name | Size | Share | When |\n|---|---|---|---|\n| a | 51 bytes | 43 % | 2026-11-30 |\n| b | 1.4 kB | – | – |'
    const html = rendered(rows)
    expect(html).toContain('<th class="num">Size</th>')
    expect(html).toContain('<td class="num">1.4 kB</td>')
    expect(html).toContain('<td class="num">43 %</td>')
    expect(html).toContain('<th>Name</th>')
    expect(html).toContain('<td>2026-11-30</td>')
  })

  test('one word among many figures, as of a folder that has no size, leaves the column a column of figures', () => {
    const sizes = ['1 kB', '2 kB', '3 kB', '4 kB', 'folder'].map((size) => `| ${size} |`).join('\n')
    expect(rendered(`| Size |\n|---|\n${sizes}`)).toContain('<td class="num">folder</td>')
    expect(rendered('| Size |\n|---|\n| 1 kB |\n| folder |')).not.toContain('class="num"')
  })

  test('a column stays as its author aligned it', () => {
    const html = rendered('| A | B |\n|:-:|--:|\n| 1 | x |')
    expect(html).toContain('<td style="text-align:center">1</td>')
    expect(html).toContain('<td style="text-align:right">x</td>')
  })

  test.each(['12', '1,204.50', '-3', '−3.5 %', '$0.083', '0:42', '96 ms', '118k', '12 MB'])(
    '%s is a figure',
    (text) => {
      expect(rendered(`| n |\n|---|\n| ${text} |`)).toContain('<td class="num">')
    },
  )

  test.each(['v2', 'a', 'note-1.md', '3 of 5 files', '2026-11-30', '–'])('%s is none', (text) => {
    expect(rendered(`| n |\n|---|\n| ${text} |`)).not.toContain('class="num"')
  })
})

describe('blocks of a growing answer', () => {
  test('paragraphs are parted, what belongs together is not', () => {
    expect(markdownBlocks('one\n\ntwo')).toHaveLength(2)
    expect(markdownBlocks('```\na\n\nb\n```')).toHaveLength(1)
    expect(markdownBlocks('1. one\n\n2. two\n\n   more of two')).toHaveLength(1)
    expect(markdownBlocks('see [a]\n\n[a]: https://example.com')).toHaveLength(1)
    expect(markdownBlocks('~~~\n```\n\nx\n~~~\n\nafter')).toHaveLength(2)
  })

  test('what was cut reads the same when put together again', () => {
    const text = '# Title\n\npara\n\n```js\nlet a\n\nlet b\n```\n\n- x\n- y\n\n> quote'
    expect(markdownBlocks(text).join('\n').replaceAll('\n\n', '\n')).toBe(text.replaceAll('\n\n', '\n'))
  })

  test('all blocks but the last stay as they are while an answer grows', () => {
    const text = 'First paragraph.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLast one, still being wri'
    for (let end = 1; end < text.length; end++) {
      const before = markdownBlocks(text.slice(0, end))
      const after = markdownBlocks(text.slice(0, end + 1))
      const settled = before.slice(0, -1).map((block) => block.trimEnd())
      expect(after.slice(0, settled.length).map((block) => block.trimEnd())).toEqual(settled)
    }
  })
})

describe('where a secret was taken out', () => {
  test('a chip says what it was, in a sentence and in code', () => {
    const html = rendered('The key is [redacted: github-classic], and:\n\n```\nKEY=[redacted: stored-key]\n```')
    expect(html.match(/class="chip line redacted"/g)).toHaveLength(2)
    expect(html).toContain('Redacted: GitHub token</span>, and:')
    expect(html).toContain('KEY=<span')
    expect(html).toContain('Redacted: stored key')
    expect(html).not.toContain('[redacted')
  })

  test('text around it stays as it was typed', () => {
    const html = renderToStaticMarkup(<RedactedText text={'a [redacted: npm] b\n[redacted: pem-rsa]'} />)
    expect(html.replace(/<[^>]+>/g, '')).toBe('a Redacted: npm token b\nRedacted: private key')
    expect(html).toContain('title="A npm token stood here, at character 3.')
    expect(renderToStaticMarkup(<RedactedText text="[redacted] and nothing else" />)).toBe(
      '[redacted] and nothing else',
    )
  })
})
