import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './styles/tokens.css'
import './styles/components.css'
import './styles/app.css'
import './styles/controls.css'
import './styles/chat.css'
import './styles/prose.css'
import './styles/screens.css'
import './styles/record.css'
import './styles/approval.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { runCommand } from './commands.ts'
import { followAddress } from './state/navigation.ts'
import { startSync } from './state/sync.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

followAddress()
startSync(runCommand)
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
