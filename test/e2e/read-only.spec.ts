import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { startModelServer } from '../support/model-server.ts'
import { launchApp, removeHome } from './app-fixture.ts'
import { setWindowSize, startWith, useServer } from './desk.ts'

const cli = path.resolve(import.meta.dirname, '../../dist/main/cli.js')

test('while the command line owns the store the window reads; "Stop it" stops what runs there, and the app takes over', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-owner-'))
  writeFileSync(path.join(folder, 'a.txt'), 'hello\n')
  let asked = 0
  const server = await startModelServer(() => {
    asked += 1
    return new Promise(() => undefined)
  })
  const first = await launchApp()
  await startWith(first, folder)
  await useServer(first, server.baseUrl)
  await first.close()
  const { home } = first
  const env = { ...process.env, THREADSMITH_HOME: home }
  const owner = spawn(process.execPath, [cli, 'run', 'never ends', '--project', folder], { env, stdio: 'ignore' })
  const ended = new Promise((resolve) => owner.once('exit', resolve))
  await expect.poll(() => asked).toBe(1)

  const app = await launchApp({ home })
  await setWindowSize(app)
  await expect(app.page.getByText('Read only.')).toBeVisible()
  await expect(app.page.getByRole('textbox', { name: 'Message' })).toBeDisabled()
  await app.screenshot('read-only-light')
  await app.page.getByRole('button', { name: 'Stop it' }).click()
  await ended
  await expect(app.page.getByText('Read only.')).toHaveCount(0)
  await expect(app.page.getByRole('textbox', { name: 'Message' })).toBeEnabled()
  await expect(app.page.getByText('Engine ok')).toBeVisible()
  expect(app.errors).toEqual([])
  await app.close()
  await server.close()
  removeHome(home)
  rmSync(folder, { recursive: true })
})
