import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Button, Kbd } from '../../components/button.tsx'

interface FirstRunFootProps {
  readonly escapeText: string
  onBack?(): void
  readonly children: ReactNode
}

export function FirstRunFoot({ escapeText, onBack, children }: FirstRunFootProps) {
  return (
    <div className="fr-foot">
      <span className="mute small">
        <Kbd keys="Escape" /> {escapeText}
      </span>
      <span className="grow" />
      {onBack && <Button onClick={onBack}>Back</Button>}
      {children}
    </div>
  )
}

const ownEnter = 'a, button, input, textarea, [role="combobox"], [role="option"]'

interface StepKeys {
  /** Anywhere on the page, unless an open menu took it. */
  escape(): void
  /** On a choice that was made, or with nothing in focus; a button or a field has an Enter of its own. */
  enter(): void
}

/** The two keys that every step answers to. */
export function useStepKeys(keys: StepKeys): void {
  const keysRef = useRef(keys)
  useEffect(() => {
    keysRef.current = keys
  })
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.isComposing || !(event.target instanceof Element)) return
      // A radio refuses the Enter that it does not use.
      const isChoice = event.target.closest('[role="radio"]') !== null
      if (event.key === 'Escape' && !event.defaultPrevented) keysRef.current.escape()
      if (event.key !== 'Enter' || event.repeat) return
      if (isChoice || (!event.defaultPrevented && !event.target.closest(ownEnter))) keysRef.current.enter()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Puts the focus where a step's next act is. */
export function useFocusOn(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => ref.current?.focus(), [ref])
}
