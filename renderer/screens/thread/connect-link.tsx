import { serviceTitle } from '../../format/service-names.ts'
import { useBody } from '../../record/bodies.ts'
import { routeHash } from '../../routes.ts'
import { lackingOf } from '../../state/lacking.ts'

/** In the row of a request that lacked its credential: the way to enter it. By keyboard it is reached in the detail. */
export function ConnectLink({ endSeq }: { readonly endSeq: number }) {
  const body = useBody(endSeq)
  const event = body.phase === 'ready' ? body.event : null
  const lacking = event?.kind === 'action.finished' ? lackingOf(event.body.result) : null
  if (lacking === null) return null
  return (
    <a
      className="link connect-link"
      href={routeHash({ screen: 'integrations', part: lacking.skill })}
      tabIndex={-1}
      onClick={(event) => event.stopPropagation()}
    >
      Connect {serviceTitle(lacking.skill)}
    </a>
  )
}
