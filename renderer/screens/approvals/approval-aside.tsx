import type { Approval } from '../../../core/domain/approval.ts'
import type { StoredEvent } from '../../../core/domain/event.ts'
import { isJsonObject, type Json } from '../../../core/domain/json.ts'
import { PolicySteps } from '../../approval/policy-steps.tsx'
import { sentence } from '../../approval/words.ts'
import { shortcutOf } from '../../commands.ts'
import { Kbd } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { bytesText, middleCut } from '../../format/figures.ts'
import { FactList, type FactPair, Section } from '../../record/parts.tsx'
import { routeHash } from '../../routes.ts'

type Request = Extract<StoredEvent, { kind: 'approval.requested' }>

interface AsideProps {
  readonly approval: Approval
  readonly request: Request | null
}

/** The facts beside the change: why it asks, what exactly, whether it can be undone. */
export function ApprovalAside({ approval, request }: AsideProps) {
  return (
    <aside aria-label="Facts of the request">
      <Section title="Why it asks" aside={<span className="mono">seq {approval.requestSeq}</span>}>
        <p className="why-text">{sentence(approval.reason)}</p>
        {request && <PolicySteps policy={request.data.policy} />}
      </Section>
      {request && (
        <Section
          title="Exact call"
          aside={<CopyButton text={JSON.stringify(request.body.arguments, null, 2)} label="Copy" isWide />}
        >
          <FactList
            facts={[
              ...factsOf(request.body.arguments),
              [
                'Hash',
                <span key="hash" className="mono" title={approval.hash}>
                  {middleCut(approval.hash, 13)}
                </span>,
              ],
            ]}
          />
        </Section>
      )}
      <Section title="Can it be undone?">
        <p className="small">{approval.undo === '' ? 'Not recorded.' : approval.undo}</p>
      </Section>
      <Section
        title="Thread"
        aside={
          <a href={routeHash({ screen: 'thread', id: approval.threadId })}>
            #{approval.threadNumber} <Kbd keys={shortcutOf('approval.thread') ?? ''} />
          </a>
        }
      >
        <p className="small">{approval.threadTitle}</p>
      </Section>
    </aside>
  )
}

const shownArguments = 8
const shownCharacters = 160

/** Arguments by name; a long text is told by its length, it stands whole under Request. */
function factsOf(args: Json): readonly FactPair[] {
  if (!isJsonObject(args)) return []
  return Object.entries(args)
    .slice(0, shownArguments)
    .map(
      ([name, value]): FactPair => [
        name,
        <span key={name} className="mono breaks">
          {shortText(value)}
        </span>,
      ],
    )
}

function shortText(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > shownCharacters || text.includes('\n') ? `text, ${bytesText(text.length)}` : text
}
