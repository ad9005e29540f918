import { CSPProvider } from '@base-ui/react/csp-provider'
import { Suspense, useEffect } from 'react'
import { Button } from './components/button.tsx'
import { ErrorCard, Skeleton } from './components/card.tsx'
import { HelpDialog } from './frame/help-dialog.tsx'
import { Notice } from './frame/notice.tsx'
import { Palette } from './frame/palette.tsx'
import { Rail } from './frame/rail.tsx'
import { ReadOnlyBanner } from './frame/read-only-banner.tsx'
import { ScreenBoundary } from './frame/screen-boundary.tsx'
import { StatusBar } from './frame/status-bar.tsx'
import { TitleBar } from './frame/title-bar.tsx'
import { useKeys } from './frame/use-keys.ts'
import { routeHash } from './routes.ts'
import { FirstRun } from './screens/first-run/first-run.tsx'
import { StoreFailure } from './screens/store-failure.tsx'
import { Screen } from './screens.tsx'
import { loadStart } from './state/load.ts'
import { go } from './state/navigation.ts'
import { supervise, useApp } from './state/store.ts'

/** What the window shows as a whole: the store's failure, the first run, or the frame with a screen in it. */
export function App() {
  useLook()
  useKeys()
  return (
    // The page's policy allows no style elements: what they would say stands in the style sheets.
    <CSPProvider disableStyleElements>
      <Phase />
      <Palette />
      <HelpDialog />
      <Notice />
    </CSPProvider>
  )
}

function Phase() {
  const shell = useApp((state) => state.shell)
  const start = useApp((state) => state.start)
  // The way out of a damaged store leads through here.
  const isAtData = useApp(({ route }) => route.screen === 'settings' && route.section === 'data')
  const isNew = useApp((state) => state.settings?.firstRunDone === false)
  if (shell.phase === 'failed') return <StoreFailure failure={shell} />
  if (start === 'loading') return <Frame content={<Opening what="the store" />} />
  if (start !== 'ready') return <Frame content={isAtData ? <Screen /> : <StartFailed />} />
  return isNew && shell.phase !== 'readOnly' ? <FirstRun /> : <Frame content={<Screen />} />
}

function Frame({ content }: { readonly content: React.ReactNode }) {
  const place = useApp((state) => routeHash(state.route))
  return (
    <div className="app">
      <TitleBar />
      <Rail />
      <div className="stage">
        <ReadOnlyBanner />
        <ScreenBoundary place={place}>
          <Suspense fallback={<Opening what="the screen" />}>{content}</Suspense>
        </ScreenBoundary>
      </div>
      <StatusBar />
    </div>
  )
}

/** Stands in the screen's place, as a screen does: with its landmark and a heading. */
function Opening({ what }: { readonly what: string }) {
  return (
    <main className="split lone" aria-busy="true">
      <h1 className="sr">Opening {what}</h1>
      <Skeleton rows={6} label={`Opening ${what}`} />
    </main>
  )
}

function StartFailed() {
  const start = useApp((state) => state.start)
  if (typeof start === 'string') return null
  return (
    <main className="split lone">
      <h1 className="sr">Threadsmith</h1>
      <ErrorCard
        title="The first page could not be read"
        error={start}
        actions={
          <>
            <Button look="primary" onClick={() => supervise(loadStart)}>
              Try again
            </Button>
            <Button onClick={() => go({ screen: 'settings', section: 'data' })}>Check the data</Button>
          </>
        }
      />
    </main>
  )
}

/** Theme and density are attributes of the root element: every token follows them. */
function useLook(): void {
  const theme = useApp((state) => state.settings?.theme ?? 'system')
  const density = useApp((state) => state.settings?.density ?? 'compact')
  useEffect(() => {
    const { dataset } = document.documentElement
    if (theme === 'system') delete dataset.theme
    else dataset.theme = theme
    dataset.density = density
  }, [theme, density])
}
