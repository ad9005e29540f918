import { serviceTitle } from '../format/service-names.ts'
import { openConnect } from '../state/integrations.ts'
import { go } from '../state/navigation.ts'
import { Button } from './button.tsx'

interface ConnectButtonProps {
  /** Null where the record does not name it. */
  readonly skill: string | null
  readonly look?: 'primary' | 'plain'
}

/** From a request that lacked its credential to the place where it is entered. */
export function ConnectButton({ skill, look = 'plain' }: ConnectButtonProps) {
  if (skill === null)
    return (
      <Button look={look} icon="plug" onClick={() => go({ screen: 'integrations', part: null })}>
        Open Integrations
      </Button>
    )
  return (
    <Button look={look} icon="key" onClick={() => openConnect(skill)}>
      Connect {serviceTitle(skill)}
    </Button>
  )
}
