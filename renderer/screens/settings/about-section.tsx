import { Mark } from '../../components/mark.tsx'
import { useApp } from '../../state/store.ts'

export function AboutSection() {
  const info = useApp((state) => state.info)
  const browser = /Chrom(?:e|ium)\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? 'not recorded'
  const electron = /Electron\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? 'not recorded'
  return (
    <>
      <h1>About</h1>
      <p>A local-first workbench for an agent whose every step is on record.</p>
      <div className="wordmark about">
        <Mark size={28} />
        Threadsmith
      </div>
      <div className="sech">
        <h2>Versions</h2>
      </div>
      <div className="card">
        <dl className="kv about-facts">
          <dt>Threadsmith</dt>
          <dd className="mono">{info?.version ?? 'not recorded'}</dd>
          <dt>Electron</dt>
          <dd className="mono">{electron}</dd>
          <dt>Chromium</dt>
          <dd className="mono">{browser}</dd>
          <dt>Events on record</dt>
          <dd>{info ? info.lastSeq.toLocaleString('en') : 'not recorded'}</dd>
          <dt>License</dt>
          <dd>MIT</dd>
        </dl>
      </div>
      <div className="sech">
        <h2>What leaves this computer</h2>
      </div>
      <p className="dim">
        Only what you send to a model server that you connected, and only to that server. There is no account and no
        telemetry. With the built-in planner nothing leaves at all.
      </p>
    </>
  )
}
