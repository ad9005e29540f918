import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plannerRefusalMark } from '../../../../core/models/planner/planner.ts'
import { ask } from './support.ts'

const lessons = `pupil,instrument,day,minutes,fee
Anna,violin,Monday,45,30
Ben,piano,Monday,30,22
Clara,cello,Tuesday,60,40
Ben,piano,Friday,30,22
`
const groceries = `Date,Shop,Category,Amount,Payer
2024-01-03,Lidl,food,42.15,Maya
2024-01-09,Tesco,food,63.90,Maya
2024-01-12,IKEA,home,129.00,Tom
2024-01-20,Lidl,food,37.25,Tom
`
const bills = 'supplier,due,paid\nOctopus,88.20,yes\nThames,31.00,yes\nVodafone,28.00,no\nOctopus,79.10,no\n'
const projects = JSON.stringify([
  { name: 'Clean Wells', country: 'Kenya', budget: 48000, beneficiaries: 3200, status: 'active', year: 2022 },
  { name: 'School Meals', country: 'Malawi', budget: 36500, beneficiaries: 1850, status: 'active', year: 2023 },
  { name: 'Night Clinic', country: 'Nepal', budget: 61000, beneficiaries: 2750, status: 'closed', year: 2024 },
])
const pupils = JSON.stringify([
  { name: 'Anna', age: 12, grade: 5 },
  { name: 'Ben', age: 9, grade: 2 },
  { name: 'Dev', age: 10, grade: 3 },
  { name: 'Elif', age: 11, grade: 3 },
])
const notes = '# Notes\n\nThe boiler is old. See the README for the drought plan.\nAsk the volunteers.\n'
const files: Readonly<Record<string, string>> = {
  'lessons.csv': lessons,
  'groceries.csv': groceries,
  'bills.csv': bills,
  'projects.json': projects,
  'pupils.json': pupils,
  'notes.md': notes,
  'letters/landlord.txt': 'The rent rises.\n',
  'letters/reply.txt': 'We agree.\nYours\n',
}
const wordsOfNotes = notes.split(/\s+/).filter(Boolean).length

let folder = ''
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-everyday-')))
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), content)
    fs.utimesSync(path.join(folder, name), new Date('2024-02-01'), new Date('2024-02-01'))
  }
  fs.utimesSync(path.join(folder, 'bills.csv'), new Date('2024-05-01'), new Date('2024-05-01'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

/** What is said in one chat, and what the last answer must hold. */
type Case = readonly [said: readonly string[], expected: readonly string[]]

const rules: Readonly<Record<string, readonly Case[]>> = {
  'a word of an earlier answer is the file that it was about': [
    [['read notes.md', 'how many lines?'], ['`notes.md` has **4 lines**']],
    [['how many words does notes.md have?', 'and lines?'], ['`notes.md` has **4 lines**']],
    [['read notes.md', 'how many words is that?'], [`\`notes.md\` has **${wordsOfNotes} words**`]],
    [
      ['how many rows does groceries.csv have?', 'and what are its columns?'],
      ['**5 columns**', 'Payer'],
    ],
    [
      ['what is the newest file?', 'when was it last changed?', 'and how many rows does it have?'],
      ['`bills.csv` has **4 rows**'],
    ],
  ],
  'a chain of additions keeps what was asked before': [
    [
      ['total amount in groceries.csv', 'and the average?', 'and per category?'],
      ['average of `Amount` for each `Category`'],
    ],
    [['how many lessons are there on Monday?', 'and on Friday?'], ['**1 row** where `day` is Friday']],
  ],
  'a folder that is named is looked into': [
    [['files in letters/'], ['**2 files** in `letters`']],
    [['what does the letters folder contain?'], ['**2 files** in `letters`', 'landlord.txt', 'reply.txt']],
  ],
  'a later part without a name is about the file of the part before': [
    [['how many words does notes.md have, and how many lines?'], [`**${wordsOfNotes} words**`, '**4 lines**']],
    [['Which file types are there, and how many of each?'], ['**4 types**', '| `.csv` | 3 |']],
  ],
  'a place at the start belongs to what follows': [
    [['in groceries.csv, how many times did we go to Lidl'], ['**2 rows** where `Shop` is Lidl']],
  ],
  'a file that is not there is said to be missing, and its name is not searched for': [
    [['how many words are in README'], ['There is no file called "README"']],
    [['is there a README?'], ['There is no file called "README"']],
    [['how many lines does report.md have'], ['There is no file called "report.md"']],
    [['how many words are in notes'], [`\`notes.md\` has **${wordsOfNotes} words**`]],
  ],
  'what was said here is looked for in the files when no note has it': [
    [['did I mention the boiler'], ['`notes.md` line 3']],
    [['did I mention unicorns'], ['There is no note about "unicorns"']],
  ],
  'ordinary words and slips': [
    [['whats in this foler'], ['**8 files**']],
    [["hi there, could you have a look and tell me what I've got in here?"], ['**8 files**']],
    [['tl;dr of everything in here'], ['**8 files**', 'The boiler is old.']],
    [['which file did I touch most recently?'], ['`bills.csv`']],
  ],
  'days, ranges and answers of yes and no are values of their column': [
    [['how many lessons are on Friday'], ['**1 row**', 'Friday']],
    [['total due where paid is no'], ['**107.1**']],
    [['total due where paid is yes'], ['**119.2**']],
    [['pupils aged 10 to 12'], ['**3 rows**', 'at least 10', 'at most 12']],
    [['projects between 2022 and 2023'], ['**2 rows**']],
    [['how many projects started in 2024'], ['**1 row**']],
  ],
  'days that are counted from, or that end a span': [
    [['what date is 6 weeks after 12 March 2024?'], ['**2024-04-23**']],
    [['days since 3 March 2024 until 3 May 2024'], ['**61 days']],
    [['how many days from 3 March to 5 May 2024'], ['From 2024-03-03 to 2024-05-05']],
  ],
}

describe.each(Object.entries(rules))('%s', (_rule, cases) => {
  it.each(cases)('%j', async (said, expected) => {
    const { text } = await ask(folder, ...said)
    for (const part of expected) expect(text).toContain(part)
  })
})

/** Near misses: files, columns or values of these words stand in the folder, and an answer from them would be another's. */
const refused: readonly (readonly string[])[] = [
  ['how many people live in Nepal?'],
  ['how many wells are in Kenya'],
  ['how much did Tom earn'],
  ['which project is the best'],
  ['what is the worst file'],
  ['cheapest project of all'],
  ['average budget per beneficiary in projects.json'],
  ['which files contain both drought and volunteers'],
  ['lessons on 3 March'],
  ['row 3 of lessons.csv'],
  ['show the active projects', 'how many is that?'],
  ['list the csv files', 'how big are they?'],
]

describe('near misses are refused', () => {
  it.each(refused.map((said) => [said]))('%j', async (said) => {
    const { text } = await ask(folder, ...said)
    expect(text.endsWith(plannerRefusalMark)).toBe(true)
  })
})
