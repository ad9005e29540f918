import { useId } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import type { Profile } from '../../../core/domain/profile.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Icon } from '../../components/icon.tsx'
import { changeSettingsBy } from '../../state/settings.ts'
import { supervise, useApp } from '../../state/store.ts'
import type { Parsed } from './amounts.ts'
import { type Draft, useDraft } from './use-draft.ts'

const most = limits.profileFieldCharacters
/** From here on the field says how much room is left. */
const countsFrom = most * 0.8

/** What a person says of themselves. */
export function ProfileSection() {
  const profile = useApp((state) => state.settings?.profile)
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!profile) return null
  return (
    <>
      <h1>Profile</h1>
      <p>Goes into the instructions of new threads. Every field may stay empty; each is saved when you leave it.</p>
      <div className="sech">
        <h2>You</h2>
      </div>
      <div className="card profile">
        <ProfileField name="role" label="Role" profile={profile} detail="What you do, as in maintainer of the docs." />
        <ProfileField name="company" label="Company" profile={profile} detail="Or project, team, school." />
        <ProfileField name="timeZone" label="Time zone" profile={profile} detail={`As in ${ownZone}.`}>
          {profile.timeZone !== ownZone && (
            <Button look="ghost" onClick={() => supervise(() => saveField('timeZone', ownZone))}>
              Use {ownZone}
            </Button>
          )}
        </ProfileField>
      </div>
      <div className="sech">
        <h2>How to work with you</h2>
      </div>
      <div className="card profile">
        <ProfileField
          name="preferences"
          label="Preferences"
          profile={profile}
          isLong
          detail="Language, length, tone of answers; what to do and what to leave."
        />
        <ProfileField
          name="brandVoice"
          label="Brand voice"
          profile={profile}
          isLong
          detail="How texts that others read should sound."
        />
        <ProfileField name="notes" label="Notes" profile={profile} isLong detail="Anything else that is always true." />
      </div>
    </>
  )
}

interface ProfileFieldProps {
  readonly name: keyof Profile
  readonly label: string
  readonly detail: string
  readonly profile: Profile
  readonly isLong?: boolean
  readonly children?: React.ReactNode
}

function ProfileField({ name, label, detail, profile, isLong = false, children }: ProfileFieldProps) {
  const id = useId()
  const draft = useDraft({ stored: profile[name], parse: readText, save: (text) => saveField(name, text) })
  const { text, problem, error } = draft
  const fieldProps = {
    id,
    value: text,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': `${id}detail`,
    onBlur: draft.commit,
  }
  return (
    <div className="profile-field">
      <div className="profile-label">
        <label htmlFor={id}>{label}</label>
        <div id={`${id}detail`} className="sub">
          {detail}
        </div>
      </div>
      <div className="profile-value">
        {isLong ? (
          <textarea
            {...fieldProps}
            className={problem ? 'input area invalid' : 'input area'}
            rows={3}
            onChange={(event) => draft.write(event.target.value)}
          />
        ) : (
          <div className="row">
            <input
              {...fieldProps}
              className={problem ? 'input invalid' : 'input'}
              autoComplete="off"
              onChange={(event) => draft.write(event.target.value)}
              onKeyDown={(event) => event.key === 'Enter' && draft.commit()}
            />
            {children}
          </div>
        )}
        <Count draft={draft} />
        {error && <ErrorNote title={`${label} was not saved`} error={error} />}
      </div>
    </div>
  )
}

/** Near the limit how many characters there are; over it what to do. */
function Count({ draft: { text } }: { readonly draft: Draft }) {
  const length = text.length
  if (length < countsFrom) return null
  const count = `${length.toLocaleString('en')} of ${most.toLocaleString('en')} characters`
  if (length <= most) return <p className="mute small">{count}</p>
  return (
    <p className="field-err" role="alert">
      <Icon name="alert" size="small" />
      <span>
        {count}. Shorten it by {(length - most).toLocaleString('en')}; until then it is not saved.
      </span>
    </p>
  )
}

function readText(text: string): Parsed<string> {
  return text.length <= most ? { ok: true, value: text } : { ok: false, problem: `At most ${most} characters.` }
}

function saveField(name: keyof Profile, text: string): Promise<void> {
  return changeSettingsBy(({ profile }) => ({ profile: { ...profile, [name]: text } }))
}
