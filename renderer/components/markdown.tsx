import { Image } from 'lucide-react'
import { memo, type ReactNode, useMemo } from 'react'
import ReactMarkdown, { type Components, defaultUrlTransform } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { call } from '../engine/client.ts'
import { go } from '../state/navigation.ts'
import { supervise } from '../state/store.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { linkUse } from './link-policy.ts'
import { markdownBlocks } from './markdown-blocks.ts'
import { numericColumns } from './numeric-columns.ts'
import { RedactedChip } from './redacted.tsx'
import { redactedMarks } from './redacted-marks.ts'

/** An answer as it was written. Raw HTML is shown as text, images are named but never fetched. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => markdownBlocks(text), [text])
  return (
    <div className="prose">
      {blocks.map((block, at) => (
        // An answer only grows at its end.
        <Block key={at} text={block} />
      ))}
    </div>
  )
})

const Block = memo(function Block({ text }: { readonly text: string }) {
  return (
    <ReactMarkdown
      remarkPlugins={remarkPlugins}
      rehypePlugins={rehypePlugins}
      components={components}
      urlTransform={keepAddress}
    >
      {text}
    </ReactMarkdown>
  )
})

const remarkPlugins = [remarkGfm]
const rehypePlugins = [numericColumns, redactedMarks]

function keepAddress(address: string): string {
  return address.startsWith('threadsmith://') ? address : defaultUrlTransform(address)
}

const components: Components = {
  a: ({ href, children }) => <AnswerLink address={href ?? ''}>{children}</AnswerLink>,
  mark: ({ title = '' }) => <RedactedChip what={title} />,
  img: ({ src, alt }) => <ImageLink address={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children, node }) => (
    <div className="code-block">
      <pre>{children}</pre>
      <CopyButton text={textOf(node)} label="Copy code" />
    </div>
  ),
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the arrow keys
    <section className="table-scroll" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
  input: ({ checked }) => (
    <span className={checked ? 'check on' : 'check'}>
      <i aria-hidden="true" />
      <span className="sr">{checked ? 'done: ' : 'open: '}</span>
    </span>
  ),
}

function AnswerLink({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const use = linkUse(address, plainText(children))
  if (use.kind === 'place')
    return (
      <Button className="in-text" onClick={() => go(use.route)}>
        {use.label ?? children}
      </Button>
    )
  if (use.kind === 'text')
    return (
      <span title={use.address}>
        {children}
        {use.address !== '' && use.address !== plainText(children) && (
          <span className="mono mute"> ({use.address})</span>
        )}
      </span>
    )
  return (
    <a
      href={use.url}
      title={`Opens ${use.host} in the browser`}
      onClick={(event) => openOutside(event, use.url)}
      onAuxClick={(event) => openOutside(event, use.url)}
    >
      {children}
      {use.showsHost && <span className="mono"> ({use.host})</span>}
    </a>
  )
}

function openOutside(event: { preventDefault(): void }, url: string): void {
  event.preventDefault()
  supervise(() => call('shell.openExternal', { url }))
}

function ImageLink({ address, alt }: { readonly address: string; readonly alt: string }) {
  const use = linkUse(address, alt)
  const label = alt === '' ? 'Image' : alt
  return (
    <span className="chip line" title={address}>
      <Image size={12} strokeWidth={2} aria-hidden="true" />
      {use.kind === 'external' ? (
        <a
          href={use.url}
          onClick={(event) => openOutside(event, use.url)}
          onAuxClick={(event) => openOutside(event, use.url)}
        >
          {label}, {use.host}
        </a>
      ) : (
        label
      )}
    </span>
  )
}

interface Node {
  readonly value?: unknown
  readonly children?: readonly Node[]
}

function textOf(node: Node | undefined): string {
  if (typeof node?.value === 'string') return node.value
  return (node?.children ?? []).map(textOf).join('')
}

function plainText(children: ReactNode): string {
  if (typeof children === 'string' || typeof children === 'number') return String(children)
  return Array.isArray(children) ? children.map(plainText).join('') : ''
}
