import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, say, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-canvas-'))
const days = Array.from({ length: 12 }, (_, at) => ({ day: at + 1, high: 4 + (at % 3), low: 1 + (at % 2) / 2 }))
const chart = {
  ...{ kind: 'chart', id: 'tides', title: 'Tides of May', chart: 'line', x: 'day', unit: 'm', rows: days },
  series: [
    { key: 'high', title: 'High water' },
    { key: 'low', title: 'Low water' },
  ],
}
const table = {
  ...{
    kind: 'table',
    id: 'pages',
    title: 'Pages changed',
    columns: [{ key: 'page', title: 'Page' }, { key: 'lines' }],
  },
  rows: [{ page: 'docs/<b>retention</b>.md', lines: 1_204 }],
}
const draw = (spec: object) => ({ name: 'emit_canvas', arguments: { ...spec } })

let app: RunningApp
let server: ModelServer
let answers: ServedAnswer[] = []

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => answers.shift() ?? { text: 'Nothing left to say.' })
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const card = (title: string) => app.page.getByRole('region', { name: title, exact: true })
const drawing = (title: string) => card(title).getByRole('img', { name: /line chart, 12 points/ })

test('what an agent draws stands in the chat: a chart with its table, a table as text', async () => {
  const { page } = app
  answers = [{ text: 'I draw both.', toolCalls: [draw(chart), draw(table)] }, { text: 'There they are.' }]
  await say(app, 'Draw the tides of May and the pages that changed')
  await expect(page.getByText('There they are.')).toBeVisible()
  await expect(drawing('Tides of May')).toBeVisible()
  await expect(card('Tides of May').locator('.recharts-line')).toHaveCount(2)
  await expect(card('Pages changed').getByRole('cell', { name: 'docs/<b>retention</b>.md' })).toBeVisible()
  await look(app, 'canvas-chat')
  await card('Tides of May').getByRole('radio', { name: 'Table' }).click()
  await expect(card('Tides of May').getByRole('columnheader', { name: 'High water' })).toBeVisible()
})

test('a character that an answer writes by its name is shown, under the policy that the window has', async () => {
  const { page } = app
  answers = [{ text: 'Tides &copy; 2026, 3 &lt; 4 &notit; and &nbsp;so on.' }]
  await say(app, 'Whose tides are they?')
  await expect(page.getByText('Tides © 2026, 3 < 4')).toBeVisible()
})

test('after a reload the cards are there again; one with the same id takes the place of the other', async () => {
  const { page } = app
  await page.reload()
  await expect(drawing('Tides of May')).toBeVisible()
  await expect(card('Pages changed')).toBeVisible()
  answers = [
    { text: 'June.', toolCalls: [draw({ ...chart, title: 'Tides of June' })] },
    { text: 'No, July.', toolCalls: [draw({ ...chart, title: 'Tides of July' })] },
    { text: 'Now of July.' },
  ]
  await say(app, 'And of July?')
  await expect(page.getByText('Now of July.')).toBeVisible()
  await expect(drawing('Tides of July')).toBeVisible()
  await expect(card('Tides of June')).toHaveCount(0)
  await page.reload()
  await expect(drawing('Tides of July')).toBeVisible()
  await expect(card('Tides of June')).toHaveCount(0)
})

test('the transcript of the thread shows each card after the step that drew it', async () => {
  const { page } = app
  await page.getByRole('link', { name: '#1', exact: true }).click()
  await expect(page.getByRole('treegrid')).toBeVisible()
  await page.keyboard.press('2')
  await expect(drawing('Tides of May')).toBeVisible()
  await expect(card('Pages changed')).toBeVisible()
  await look(app, 'canvas-transcript')
})
