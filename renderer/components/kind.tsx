import type { CallRow } from '../../core/domain/thread.ts'

const kinds = {
  model: { tag: 'LM', className: 'k lm', word: 'Model call' },
  action: { tag: 'TL', className: 'k tl', word: 'Action' },
  code: { tag: 'CX', className: 'k cx', word: 'Code' },
  query: { tag: 'LM', className: 'k lm', word: 'Model query' },
  child: { tag: 'TH', className: 'k th', word: 'Child thread' },
  thread: { tag: 'TH', className: 'k th', word: 'Thread' },
} as const satisfies Record<CallRow['kind'] | 'thread', unknown>

/** Two letters, hue and lightness: what kind of span a row is. */
export function Kind({ kind }: { readonly kind: keyof typeof kinds }) {
  const { tag, className, word } = kinds[kind]
  return (
    <span className={className} title={word}>
      <span aria-hidden="true">{tag}</span>
      <span className="sr">{word}</span>
    </span>
  )
}
