import { Icon, type IconName } from '../../components/icon.tsx'
import { routeHash, type SettingsSection, sectionTitles, settingsSections } from '../../routes.ts'
import { AboutSection } from './about-section.tsx'
import { AgentSection } from './agent-section.tsx'
import { BudgetsSection } from './budgets-section.tsx'
import { DataSection } from './data-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { ModelsSection } from './models-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import './settings.css'
import './models.css'

const sections: Readonly<Record<SettingsSection, { readonly icon: IconName; readonly View: () => React.ReactNode }>> = {
  general: { icon: 'sun', View: GeneralSection },
  models: { icon: 'server', View: ModelsSection },
  budgets: { icon: 'spark', View: BudgetsSection },
  agent: { icon: 'approvals', View: AgentSection },
  profile: { icon: 'person', View: ProfileSection },
  data: { icon: 'box', View: DataSection },
  about: { icon: 'info', View: AboutSection },
}

/** Settings: sections on the left, the chosen one beside them. A change is saved as it is made. */
export function SettingsScreen({ section }: { readonly section: SettingsSection }) {
  const { View } = sections[section]
  return (
    <main className="split set">
      <nav className="pane sunken" aria-label="Settings">
        <div className="nav">
          {settingsSections.map((name) => (
            <a
              key={name}
              href={routeHash({ screen: 'settings', section: name })}
              aria-current={name === section ? 'page' : undefined}
            >
              <Icon name={sections[name].icon} />
              {sectionTitles[name]}
            </a>
          ))}
        </div>
      </nav>
      <section className="pane" aria-label={sectionTitles[section]}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
        <div className="pane-body scrolls" tabIndex={0}>
          <div className="doc">
            <View />
          </div>
        </div>
      </section>
    </main>
  )
}
