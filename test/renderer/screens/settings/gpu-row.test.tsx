import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { LocalStatus } from '../../../../core/domain/local.ts'
import { GpuRow } from '../../../../renderer/screens/settings/local/gpu-row.tsx'

function rendered(gpuBuild: Partial<LocalStatus['gpuBuild']>): string {
  const vulkan = { kind: 'vulkan', state: 'available', bytes: 27_476_121, problem: null } as const
  const status: LocalStatus = {
    ...{ library: { ok: true, version: '3.21.1', gpu: null }, models: [], recommended: [], downloads: [], loaded: [] },
    ...{ gpuBuild: { ...vulkan, ...gpuBuild }, folder: '/data/models', freeBytes: 40_000_000_000 },
  }
  return renderToStaticMarkup(<GpuRow status={status} />)
}

test('the row offers what can be done now, and only that, by a name that says to what', () => {
  const [available, installed] = [rendered({}), rendered({ state: 'installed' })]
  expect(available).toContain('aria-label="Install the build for the graphics processor"')
  expect(available).not.toContain('Remove')
  expect(installed).toContain('aria-label="Remove the build for the graphics processor"')
  expect(installed).not.toContain('Install the')
  expect(rendered({ kind: 'metal', state: 'installed', bytes: 0 })).not.toContain('<button')
})

test('a build that is not in use says why, with what to do', () => {
  const problem = { code: 'local.library', message: 'x', userMessage: 'Update the driver.', retryable: false } as const
  const html = rendered({ state: 'installed', problem })
  expect(html).toContain('It is not in use')
  expect(html).toContain('Update the driver.')
})

test('where no build fits there is no row', () => {
  expect(rendered({ kind: null, state: 'none', bytes: 0 })).toBe('')
})
