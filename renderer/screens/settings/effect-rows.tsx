import { type EffectType, effectTypes } from '../../../core/domain/action.ts'
import { ErrorCard } from '../../components/card.tsx'
import { Toggle } from '../../components/toggle.tsx'
import { changeSettingsBy } from '../../state/settings.ts'
import { useAction } from '../../state/use-load.ts'

interface EffectWords {
  readonly title: string
  readonly example: string
}

export const effectWords: Readonly<Record<EffectType, EffectWords>> = {
  ReadLocal: { title: 'Read files of the project', example: 'list, search and read what is in the folder' },
  ReadExternal: { title: 'Read from the network', example: 'open a page, check a link' },
  WriteLocal: { title: 'Change files of the project', example: 'write, move or delete a file' },
  WriteExternal: { title: 'Change things outside the project', example: 'push, label an issue, send mail' },
  CredentialedNetwork: { title: 'Use a stored key', example: 'any call that carries a key of yours' },
  Compute: { title: 'Compute', example: 'run code in the sandbox' },
  Financial: { title: 'Spend money', example: 'buy, transfer, change a plan; it asks each time' },
}

/** One row for each effect: on, or denied whatever else says so. */
export function EffectRows({ denied }: { readonly denied: readonly EffectType[] }) {
  const change = useAction((effect: EffectType, isOn: boolean) =>
    changeSettingsBy(({ policy }) => {
      const others = policy.deniedEffects.filter((each) => each !== effect)
      return { policy: { ...policy, deniedEffects: isOn ? others : [...others, effect] } }
    }),
  )
  return (
    <>
      <ul className="card effects" aria-label="Effects">
        {effectTypes.map((effect) => {
          const { title, example } = effectWords[effect]
          return (
            <li key={effect} className="setrow">
              <div className="effect">
                <span id={`effect-${effect}`}>{title}</span>
                <span className="mono mute">{effect}</span>
                <span className="sub">{example}</span>
              </div>
              <Toggle
                labelledBy={`effect-${effect}`}
                isOn={!denied.includes(effect)}
                words={['on', 'denied']}
                onChange={(isOn) => change.run(effect, isOn)}
              />
            </li>
          )
        })}
      </ul>
      {change.error && <ErrorCard className="after-card" title="The setting was not saved" error={change.error} />}
    </>
  )
}
