import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plannerRefusalMark } from '../../../../core/models/planner/planner.ts'
import { ask, layShop, orders, products, shopFiles } from './support.ts'

let folder = ''
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-planner-')))
  layShop(folder)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

// Counted here on its own, from what was written to disk.
const names = Object.keys(shopFiles)
const bytesOf = (name: string): number => Buffer.from(shopFiles[name] ?? '').length
const totalBytes = names.reduce((sum, name) => sum + bytesOf(name), 0)
const wordsOf = (name: string): number => String(shopFiles[name]).split(/\s+/).filter(Boolean).length
const linesOf = (name: string): number => String(shopFiles[name]).split('\n').length - 1
const markdown = names.filter((name) => name.endsWith('.md'))
const cents = (rows: readonly (typeof orders)[number][]): number =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[6]) * 100), 0)
const euros = (figure: number): string => String(figure / 100)
const where = (at: number, value: string) => orders.filter((row) => row[at] === value)

/** What is said and what the answer must hold: texts, or figures in bold. */
const answers: readonly (readonly [string, readonly string[]])[] = [
  ['What is in this folder?', [`**${names.length} files**`, '`README.md`', '`notes/`', `${totalBytes} bytes`]],
  [
    'What is in this folder, and what is each file about?',
    [
      'This folder holds the records of a small furniture shop.',
      'order_id, date, customer',
      'an image (PNG)',
      'name, version, settings',
      'an empty file',
    ],
  ],
  ['how many files are there?', [`**${names.length} files**`]],
  ['could you please tell me how many markdown files there are', [`**${markdown.length} .md`]],
  ['how many folders do I have', ['**2 folders**']],
  ['list the csv files', ['`orders.csv`']],
  ['which files changed in the last 3 days?', ['**1 file**', '`app.log`']],
  ['files changed before 2026-02-15', [`**${names.length - 1} files**`]],
  ['empty files', ['`docs/empty.txt`', '**1 file**']],
  ['biggest file', ['`orders.csv`', `${bytesOf('orders.csv')} bytes`]],
  ['which file is the newest', ['`app.log`']],
  ['which file has the most lines', ['`orders.csv`', `**${linesOf('orders.csv')}**`]],
  ['total size of the markdown files', [`${markdown.reduce((sum, name) => sum + bytesOf(name), 0)} bytes`]],
  [
    'how many words are in all markdown files together',
    [`**${markdown.reduce((sum, name) => sum + wordsOf(name), 0)} words**`],
  ],
  ['how big is products.json', [`${bytesOf('products.json')} bytes`]],
  ['how many lines does the readme have', [`**${linesOf('README.md')} lines**`]],
  ['how many lines does the readme in docs have', ['`docs/copy-of-readme.md`']],
  ['are there duplicate files', ['`README.md` and `docs/copy-of-readme.md`']],
  ['are README.md and docs/copy-of-readme.md identical?', ['the same content']],
  [
    'which is larger, README.md or app.log',
    ['`app.log` is **larger**', String(bytesOf('app.log') - bytesOf('README.md'))],
  ],
  ['which folder has the most files', ['`docs` and `notes` have the most: **2 files**']],
  ['show lines 2-3 of app.log', ['lines 2 to 3 of 4', 'ERROR timeout', 'WARN slow']],
  ['gimme the last line of app.log', ['line 4 of 4', 'disk full']],
  ['open notes/meeting.md and show me what it says', ['The release is planned for April.']],
  ['show price list 2026.txt', ['Chairs cost 199.00.']],
  ['summarise the meeting notes', ['word for word', '"We met on Monday to talk about the budget."']],
  ['summarise the whole folder in a few sentences', ['small furniture shop', 'We met on Monday']],
  ['which files mention the budget', ['`notes/meeting.md`', '**2 times**']],
  ['how many times does TODO occur', ['**3 times**', '**2 files']],
  ['how many errors are in app.log', ['**2 times**']],
  ['where is total defined?', ['`invoice.py` line 4']],
  ['which files mention unicorns', ['**0** matches']],
  ['what is the version in config.json', ['**1.4.2**']],
  ['which keys does config.json have', ['**3** keys', '`settings`']],
  ['what is the tax', ['`settings.tax` is **19**']],
  ['how many rows does orders.csv have', [`**${orders.length} rows**`]],
  ['what columns are in orders.csv', ['**8 columns**', 'customer']],
  ['sum of amount in orders.csv', [`**${euros(cents(orders))}**`]],
  ['total amount per customer', orders.map((row) => `| ${row[2]} | ${euros(cents(where(2, row[2])))} |`)],
  ['which customer spent the most?', [`**Bob Miller** has the highest total`, euros(cents(where(2, 'Bob Miller')))]],
  ['who placed the most orders', ['**Anna Schmidt** and **Bob Miller**', '**3**']],
  ['how many orders are from Germany', [`**${where(3, 'Germany').length} rows**`]],
  ['how many orders are not from Germany', [`**${orders.length - where(3, 'Germany').length} rows**`]],
  ['orders without a country', ['**1 row**', 'Emil Novak']],
  ['how many orders are over 100 euros', [`**${orders.filter((row) => Number(row[6]) > 100).length} rows**`]],
  [
    'how many orders between 100 and 400',
    [`**${orders.filter((row) => Number(row[6]) >= 100 && Number(row[6]) <= 400).length} rows**`],
  ],
  ['total amount in 2025', [`**${euros(cents(orders.filter((row) => row[1].startsWith('2025'))))}**`]],
  ['how many orders were placed in March 2025', ['**2 rows**']],
  ['total amount of Anna', [`**${euros(cents(where(2, 'Anna Schmidt')))}**`]],
  ['what percentage of orders are paid', [`**${(where(7, 'paid').length / orders.length) * 100} %**`]],
  [
    'difference between total amount of Germany and France',
    [`**${euros(cents(where(3, 'Germany')) - cents(where(3, 'France')))}**`],
  ],
  ['how many different customers are there', [`**${new Set(orders.map((row) => row[2])).size}**`]],
  ['show the last 3 orders', ['1008', '1009', '1010']],
  ['most expensive product', ['**349.9**', 'Standing Desk']],
  ['average price of the products in products.json where category is books', ['**22**', '2 rows']],
  ['which product category has the highest average price', ['**furniture**', '274.45']],
  ['what is the price of the Desk Lamp', ['**29.9**']],
  ['products that are out of stock', ['**1 row**', 'Atlas']],
  ['minimum and maximum price of the products', ['**4.5**', '**349.9**']],
  ['how many products cost more than 30', [`**${products.filter((p) => p.price > 30).length} rows**`]],
  ['sort the products by price, lowest first, and show only three rows', ['Notebook', 'Desk Lamp', 'Atlas']],
  ['what is 17 % of 349.90', ['**59.483**']],
  ['how many days until 24 December', ['**289 days']],
  ['what weekday is 2027-03-01', ['**Monday**']],
  ['90 days after 2026-01-15', ['**2026-04-15**']],
  ['what day will it be in 45 days', ['**2026-04-24**', 'Friday']],
  ['orders between 2025-01-01 and 2025-03-31', ['**6 rows**']],
  ['which order came first', ['**2025-01-03**', 'Anna Schmidt']],
  ['list the files from newest to oldest', ['| Name | Size | Changed |\n| --- | --- | --- |\n| `app.log`']],
  ['products in alphabetical order', ['sorted by `name`', 'Atlas']],
  ['how many file types are there', ['types**']],
  ['what day is it today', ['**Tuesday, 2026-03-10**']],
  ['how mny files are in this foldr', [`**${names.length} files**`]],
  ['sumarise README.md', ['small furniture shop']],
  ['what is the largest file and how many lines does it have?', ['`orders.csv`', `**${linesOf('orders.csv')} lines**`]],
]

describe('answers of the planner, with its figures counted here', () => {
  it.each(answers)('%s', async (said, expected) => {
    const { text } = await ask(folder, said)
    for (const part of expected) expect(text).toContain(part)
  })

  it('shows three rows when three are asked for', async () => {
    const { text } = await ask(folder, 'sort the products by price, lowest first, and show only three rows')
    expect(text).not.toContain('Standing Desk')
  })

  it('keeps a note and finds it again', async () => {
    const { text } = await ask(folder, 'Remember that our release day is Thursday', 'when is our release day?')
    expect(text).toContain('our release day is Thursday')
  })

  it('says so when nothing was noted', async () => {
    expect((await ask(folder, 'what do you remember?')).text).toContain('There are no notes')
  })

  it('takes up the request before it', async () => {
    const { text } = await ask(folder, 'which is the largest file?', 'and the smallest?')
    expect(text).toContain('`docs/empty.txt`')
  })

  it('asks when several files fit', async () => {
    const { text, calls } = await ask(folder, 'how many lines does readme have in it?', 'show copy.md')
    expect(calls.every((call) => call.name !== 'memory_write')).toBe(true)
    expect(text).not.toBe('')
  })

  it('says that a file is not there instead of taking another', async () => {
    const { text } = await ask(folder, 'how many rows does invoices.csv have?')
    expect(text).toContain('invoices.csv')
    expect(text.endsWith(plannerRefusalMark)).toBe(true)
  })

  it('tells what it can do', async () => {
    const { text, calls } = await ask(folder, 'What can you do?')
    expect(text).toContain('Total amount per customer in orders.csv')
    expect(calls).toEqual([])
  })
})
