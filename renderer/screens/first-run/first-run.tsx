import { useState } from 'react'
import { Mark } from '../../components/mark.tsx'
import { home, type Route } from '../../routes.ts'
import { changeSettings } from '../../state/load.ts'
import { replaceRoute } from '../../state/navigation.ts'
import { supervise } from '../../state/store.ts'
import { ChooseFolder } from './choose-folder.tsx'
import { ChooseModel } from './choose-model.tsx'
import { TryIt } from './try-it.tsx'

const steps = ['Choose a model', 'Folder and permissions', 'Try it'] as const

/** Three steps that end in a finished thread. Each can be skipped; nothing here is final. */
export function FirstRun() {
  const [step, setStep] = useState(0)
  const end = (route: Route) =>
    supervise(async () => {
      await changeSettings({ firstRunDone: true })
      replaceRoute(route)
    })
  const next = () => setStep(step + 1)
  const back = () => setStep(step - 1)
  return (
    <div className="lone-page">
      <header className="titlebar" />
      <main className="lone-main">
        <div className="lone-column">
          <h1 className="wordmark">
            <Mark size={32} />
            Threadsmith
          </h1>
          <Progress current={step} />
          {step === 0 && <ChooseModel onNext={next} />}
          {step === 1 && <ChooseFolder onNext={next} onBack={back} onSkip={() => end(home)} />}
          {step === 2 && <TryIt onBack={back} onEnd={end} />}
        </div>
      </main>
    </div>
  )
}

function Progress({ current }: { readonly current: number }) {
  return (
    <ol className="fr-steps" aria-label="Steps">
      {steps.map((title, at) => (
        <li key={title} aria-current={at === current ? 'step' : undefined} className={at < current ? 'past' : ''}>
          <span className="n">{at + 1}</span>
          <span className="fr-title">{title}</span>
        </li>
      ))}
    </ol>
  )
}
