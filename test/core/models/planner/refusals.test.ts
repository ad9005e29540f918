import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plannerRefusalMark } from '../../../../core/models/planner/planner.ts'
import { ask, layShop } from './support.ts'

/** Beyond the planner, though words, files, columns or values of them stand in the folder. */
const refused: readonly string[] = [
  'write a summary to summary.md',
  'create a file named todo.txt',
  'delete all csv files',
  'remove the duplicates',
  'rename orders.csv to sales.csv',
  'move README.md into docs',
  'copy products.json to backup.json',
  'change the price of Desk Lamp to 20',
  'add a new row to orders.csv',
  'update the status of order 1003 to paid',
  'fix the typos in README.md',
  'rewrite README.md',
  'translate the readme into French',
  'run invoice.py',
  'execute the script',
  'install pandas',
  "what's the weather like today?",
  'what is the latest news',
  'who is the president of the United States',
  'what is the capital of France',
  'when did World War II end',
  'how tall is Mount Everest',
  'write me a poem about lamps',
  'tell me a joke',
  'what do you think about our sales',
  'which product should we stop selling',
  'why did sales drop in March',
  'explain why order 1006 was cancelled',
  'is it a good idea to sell more chairs',
  'recommend a supplier',
  'send an email to Anna',
  'schedule a meeting with Bob',
  'call the customer',
  'show me /etc/passwd',
  'read ~/.ssh/id_rsa',
  'list the files in ../other-project',
  'count the chickens',
  'sum of human knowledge',
  'how many angels fit on a pin',
  'describe the picture logo.png',
  'what does the logo look like',
  'generate an image of a desk',
  'draw a chart of sales per month',
  'plot amount by country',
  "predict next month's sales",
  'forecast the revenue for 2027',
  'what will be the total in April',
  'find the bug in invoice.py',
  'refactor invoice.py',
  'optimise the code',
  'download the latest prices',
  'search the web for desk lamps',
  'google standing desk',
  'book a flight to Rome',
  'convert orders.csv to json',
  'compress the folder',
  'which customer is the happiest',
  'what is the sentiment of the notes',
  'is Anna a good customer',
  'how do I cook pasta',
  'what is the meaning of life',
  'play some music',
  'turn off the lights',
  'set an alarm for 7',
  'hack the server',
  "what's your favourite colour",
  'are you human',
  'do you like me',
  'who are the competitors of our shop',
  "what's the exchange rate of euro to dollar",
  'convert 20 euros to dollars',
  'open google.com',
  'total sales tax by state for Martians',
  'sum the unicorns',
  'average happiness per customer',
  'list orders by their importance',
  'commit and push everything',
  'how many orders would we need to reach 10000',
  'what is the most important file',
  'which file is wrong',
  'group customers into clusters',
  'summarise the internet',
  'email the total of orders.csv to Bob',
  'sum the amount in orders.csv and save it to a file',
  'count the rows in orders.csv and then delete it',
  'paraphrase the meeting notes',
  'proofread README.md',
  'make a backup of this folder',
  'remind me tomorrow to call Anna',
  'which customers are from Germany and what did they order',
  'how much is 480 euros in dollars today',

  'what does clamp do',
  'how many orders did each person place',
  'is the treatment effective?',
  'list all files not in docs',
]

let folder = ''
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'threadsmith-planner-')))
  layShop(folder)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

describe('requests that are beyond the planner', () => {
  it('are at least 60', () => {
    expect(refused.length).toBeGreaterThanOrEqual(60)
  })

  it.each(refused)('%s', async (said) => {
    const { text, calls } = await ask(folder, said)
    expect(text).toMatch(/^The built-in planner cannot do this\./)
    expect(text.endsWith(plannerRefusalMark)).toBe(true)
    expect(calls.filter((call) => call.name === 'memory_write')).toEqual([])
  })

  it('says why, what it can do, and how to get more', async () => {
    const { text } = await ask(folder, 'translate README.md to German')
    expect(text).toContain('"translate"')
    expect(text).toContain('find, read and summarise files')
    expect(text).toContain('connect a model')
  })

  it('refuses the whole of a request when a part of it is beyond it', async () => {
    const { text, calls } = await ask(folder, 'count the rows in orders.csv and then delete it')
    expect(text.endsWith(plannerRefusalMark)).toBe(true)
    expect(calls).toEqual([])
  })
})
