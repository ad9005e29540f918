import { describe, expect, it } from 'vitest'
import { understand } from '../../../../core/models/planner/intents/index.ts'

/** What is said, the intent that is tried first, and its slots before anything in the folder is looked at. */
const phrases: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
  ['What can you do?', 'help', {}],
  ['help', 'help', {}],
  ['Hello', 'help', {}],
  ['which questions can I ask?', 'help', {}],
  ['What is in this folder?', 'look-around', { overview: true, each: false }],
  ["What's in here?", 'look-around', { overview: true, each: false }],
  ['What is in this folder, and what is each file about?', 'look-around', { overview: true, each: true }],
  ['Give me an overview of this project', 'look-around', { overview: true, each: false }],
  ['Describe this project', 'look-around', { overview: true, each: false }],
  ['Tell me about this folder', 'look-around', { overview: true, each: false }],
  ['describe all files', 'look-around', { overview: false, each: true }],
  ['What does each file do?', 'look-around', { overview: false, each: true }],
  ['what is every document about?', 'look-around', { overview: false, each: true }],
  ['How many files are there?', 'count-files', { ask: 'count', kind: 'file' }],
  ['Could you please tell me how many files are in this folder?', 'count-files', { ask: 'count', kind: 'file' }],
  ['how many csv files do I have', 'count-files', { ask: 'count', kind: 'file', extensions: ['.csv'] }],
  ['count the markdown files', 'count-files', { ask: 'count', kind: 'file', extensions: ['.md', '.markdown'] }],
  ['number of JSON files', 'count-files', { ask: 'count', kind: 'file', extensions: ['.json'] }],
  [
    'how many .txt files are in docs?',
    'count-files',
    { ask: 'count', kind: 'file', extensions: ['.txt'], words: ['docs'] },
  ],
  ['How many folders are there?', 'count-files', { ask: 'count', kind: 'folder' }],
  [
    'how many images are there',
    'count-files',
    {
      ask: 'count',
      kind: 'file',
      extensions: ['.png', '.jpg', '.jpeg', '.gif', '.svg', '.webp', '.bmp', '.tiff', '.heic', '.ico'],
    },
  ],
  ['list all files', 'list-files', { ask: 'list', kind: 'file' }],
  ['list the python files', 'list-files', { ask: 'list', kind: 'file', extensions: ['.py'] }],
  ['Show me all CSV files', 'list-files', { ask: 'list', kind: 'file', extensions: ['.csv'] }],
  ['which files are larger than 1 MB?', 'list-files', { ask: 'list', kind: 'file', sizes: [1000000] }],
  ['files smaller than 10 kB', 'list-files', { ask: 'list', kind: 'file', sizes: [10000] }],
  ['find files bigger than 500 bytes', 'list-files', { ask: 'list', kind: 'file', sizes: [500] }],
  ['which files were changed this week?', 'list-files', { ask: 'list', kind: 'file', dates: ['this week'] }],
  ['files modified in the last 7 days', 'list-files', { ask: 'list', kind: 'file', dates: ['the last 7 days'] }],
  ['which documents were edited since 2026-01-01?', 'list-files', { ask: 'list', kind: 'file', dates: ['2026-01-01'] }],
  ['files older than 30 days', 'list-files', { ask: 'list', kind: 'file', dates: ['30 days'] }],
  ['what documents do I have here?', 'list-files', { ask: 'list', kind: 'file' }],
  ['is there a file called notes?', 'list-files', { ask: 'list', kind: 'file', words: ['notes'] }],
  ['find all files whose name starts with "r"', 'list-files', { ask: 'list', kind: 'file' }],
  ['find files with test in the name', 'list-files', { ask: 'list', kind: 'file', words: ['test'] }],
  ['what types of files are here', 'files-by-type', {}],
  ['how many files of each type are there', 'files-by-type', {}],
  ['What is the largest file?', 'extreme-files', { measure: 'bytes', end: 'most', count: 1 }],
  ['biggest file', 'extreme-files', { measure: 'bytes', end: 'most', count: 1 }],
  ['which file is the smallest?', 'extreme-files', { measure: 'bytes', end: 'least', count: 1 }],
  ['3 largest files', 'extreme-files', { measure: 'bytes', end: 'most', count: 3 }],
  ['the five newest files', 'extreme-files', { measure: 'modified', end: 'most', count: 5 }],
  ["What's the newest file in docs?", 'extreme-files', { measure: 'modified', end: 'most', count: 1, words: ['docs'] }],
  ['oldest file', 'extreme-files', { measure: 'modified', end: 'least', count: 1 }],
  ['most recently changed file', 'extreme-files', { measure: 'modified', end: 'most', count: 1 }],
  ['which file has the most lines?', 'extreme-files', { measure: 'lines', end: 'most', count: 1 }],
  [
    'which text file has the fewest words',
    'extreme-files',
    { measure: 'words', end: 'least', count: 1, extensions: ['.txt'] },
  ],
  ['longest file', 'extreme-files', { measure: 'lines', end: 'most', count: 1 }],
  ['top 5 largest csv files', 'extreme-files', { measure: 'bytes', end: 'most', count: 5, extensions: ['.csv'] }],
  ['How big is orders.csv?', 'file-facts', { measures: ['size'], paths: ['orders.csv'] }],
  ['what is the size of README.md', 'file-facts', { measures: ['size'], paths: ['README.md'] }],
  ['how many lines does app.log have?', 'file-facts', { measures: ['line'], paths: ['app.log'] }],
  ['how many words does notes/meeting.md contain', 'file-facts', { measures: ['word'], paths: ['notes/meeting.md'] }],
  ['How long is meeting.md', 'file-facts', { measures: ['line'], paths: ['meeting.md'] }],
  ['how many lines and words does README.md have', 'file-facts', { measures: ['line', 'word'], paths: ['README.md'] }],
  ['when was app.log last changed?', 'file-facts', { measures: ['time'], paths: ['app.log'] }],
  ['sha256 of README.md', 'file-facts', { measures: ['hash'], paths: ['README.md'] }],
  ['total size of this folder', 'file-facts', { measures: ['size'] }],
  ['How much disk space does everything take up?', 'file-facts', { measures: ['size'] }],
  [
    'what is the total size of the markdown files',
    'file-facts',
    { measures: ['size'], extensions: ['.md', '.markdown'] },
  ],
  [
    'how many words are in all markdown files together',
    'file-facts',
    { measures: ['word'], extensions: ['.md', '.markdown'] },
  ],
  ['total lines of all TypeScript files', 'file-facts', { measures: ['line'], extensions: ['.ts', '.tsx'] }],
  ['average file size', 'file-facts', { measures: ['size'] }],
  ['are there any duplicate files?', 'duplicates', {}],
  ['which files are identical?', 'duplicates', {}],
  ['do I have duplicates', 'duplicates', {}],
  ['which folder has the most files?', 'folders', { bySize: false }],
  ['how many files are in each folder', 'folders', { bySize: false }],
  [
    'compare orders.csv and products.json',
    'compare-files',
    { measure: 'bytes', paths: ['orders.csv', 'products.json'] },
  ],
  ['which is larger, README.md or app.log?', 'compare-files', { measure: 'bytes', paths: ['README.md', 'app.log'] }],
  [
    'is orders.csv bigger than products.json?',
    'compare-files',
    { measure: 'bytes', paths: ['orders.csv', 'products.json'] },
  ],
  [
    'are README.md and docs/copy.md identical?',
    'compare-files',
    { measure: 'bytes', paths: ['README.md', 'docs/copy.md'] },
  ],
  ["what's the difference between a.ts and b.ts", 'compare-files', { measure: 'bytes', paths: ['a.ts', 'b.ts'] }],
  ['which is newer, a.md or b.md', 'compare-files', { measure: 'modified', paths: ['a.md', 'b.md'] }],
  ['show README.md', 'read-file', { range: { kind: 'all' }, paths: ['README.md'] }],
  ['read notes/meeting.md', 'read-file', { range: { kind: 'all' }, paths: ['notes/meeting.md'] }],
  ['open the changelog', 'read-file', { range: { kind: 'all' }, words: ['changelog'] }],
  [
    'Show me lines 10 to 20 of app.log',
    'read-file',
    { range: { kind: 'from', line: 10, lines: 11 }, paths: ['app.log'] },
  ],
  ['lines 10-20 of app.log', 'read-file', { range: { kind: 'from', line: 10, lines: 11 }, paths: ['app.log'] }],
  ['what does line 2 of app.log say?', 'read-file', { range: { kind: 'from', line: 2, lines: 1 }, paths: ['app.log'] }],
  ['first 5 lines of README.md', 'read-file', { range: { kind: 'from', line: 1, lines: 5 }, paths: ['README.md'] }],
  [
    'show me the beginning of invoice.py',
    'read-file',
    { range: { kind: 'from', line: 1, lines: 10 }, paths: ['invoice.py'] },
  ],
  ['last line of app.log', 'read-file', { range: { kind: 'tail', lines: 1 }, paths: ['app.log'] }],
  [
    'last 3 lines of "holidays 2026.txt"',
    'read-file',
    { range: { kind: 'tail', lines: 3 }, paths: ['holidays 2026.txt'] },
  ],
  ['sort the lines of names.txt', 'text-lines', { paths: ['names.txt'] }],
  ['how many unique lines are there in names.txt', 'text-lines', { paths: ['names.txt'] }],
  ['how many empty lines does README.md have', 'text-lines', { paths: ['README.md'] }],
  ['which files mention budget?', 'search-text', { text: 'budget', ask: 'files', cue: 'contain' }],
  ['Which files contain the word supplier?', 'search-text', { text: 'supplier', ask: 'files', cue: 'contain' }],
  ['does any file mention "free trial"?', 'search-text', { text: 'free trial', ask: 'files', cue: 'contain' }],
  ['find the word calibrate', 'search-text', { text: 'calibrate', ask: 'show', cue: 'find' }],
  ['search for TODO', 'search-text', { text: 'TODO', ask: 'show', cue: 'find' }],
  ['how many times does TODO occur?', 'search-text', { text: 'TODO', ask: 'times', cue: 'contain' }],
  [
    'how often does the word "error" appear in app.log?',
    'search-text',
    { text: 'error', ask: 'times', cue: 'contain' },
  ],
  ['how many lines in app.log contain timeout', 'search-text', { text: 'timeout', ask: 'lines', cue: 'contain' }],
  ['which lines in app.log contain "disk"', 'search-text', { text: 'disk', ask: 'show', cue: 'contain' }],
  ['where is total defined?', 'search-text', { text: 'total', ask: 'show', cue: 'contain' }],
  ['what does the handbook say about vacation', 'search-text', { text: 'vacation', ask: 'show', cue: 'contain' }],
  ['is there anything about floods', 'search-text', { text: 'floods', ask: 'show', cue: 'contain' }],
  ['how many files mention sleep', 'search-text', { text: 'sleep', ask: 'files', cue: 'contain' }],
  ['Summarise README.md', 'summarise', { sentences: 5, paths: ['README.md'] }],
  ['summarize the meeting notes', 'summarise', { sentences: 5, words: ['meeting', 'notes'] }],
  ['give me a short summary of the README', 'summarise', { sentences: 5, words: ['README'] }],
  ['tl;dr of notes/meeting.md', 'summarise', { sentences: 5, paths: ['notes/meeting.md'] }],
  ['what is README.md about?', 'summarise', { sentences: 5, paths: ['README.md'] }],
  ['key points of report.md', 'summarise', { sentences: 5, paths: ['report.md'] }],
  ['what keys does config.json have?', 'json', { keys: true, paths: ['config.json'] }],
  ['list the keys of settings.json', 'json', { keys: true, paths: ['settings.json'] }],
  ['How many rows are in orders.csv?', 'ask-table', { ask: ['count'], paths: ['orders.csv'] }],
  ['how many entries does products.json contain', 'ask-table', { ask: ['count'], paths: ['products.json'] }],
  ['Which columns does orders.csv have?', 'ask-table', { ask: ['column'], paths: ['orders.csv'] }],
  ['what fields does products.json have?', 'ask-table', { ask: ['column'], paths: ['products.json'] }],
  [
    'total amount per customer in orders.csv',
    'ask-table',
    { ask: ['sum', 'per'], paths: ['orders.csv'], words: ['amount', 'customer'] },
  ],
  [
    'What is the sum of the amount column in orders.csv?',
    'ask-table',
    { ask: ['sum', 'column'], paths: ['orders.csv'], words: ['amount'] },
  ],
  [
    'average price of the products in products.json where category is books',
    'ask-table',
    { ask: ['average'], paths: ['products.json'], words: ['price', 'products', 'category', 'books'] },
  ],
  ['add up the quantity in orders.csv', 'ask-table', { ask: ['sum'], paths: ['orders.csv'], words: ['quantity'] }],
  ['highest amount in orders.csv', 'ask-table', { ask: ['highest'], paths: ['orders.csv'], words: ['amount'] }],
  ['median of amount in orders.csv', 'ask-table', { ask: ['median'], paths: ['orders.csv'], words: ['amount'] }],
  ['group the rows of orders.csv by status', 'ask-table', { ask: ['per'], paths: ['orders.csv'], words: ['status'] }],
  [
    'top 5 rows of orders.csv by amount',
    'ask-table',
    { ask: ['per', 'top'], paths: ['orders.csv'], words: ['amount'] },
  ],
  ['first 3 rows of orders.csv', 'ask-table', { ask: [], paths: ['orders.csv'] }],
  ['are there duplicate rows in orders.csv', 'ask-table', { ask: ['duplicate'], paths: ['orders.csv'] }],
  ['average salary by department', 'ask-table', { ask: ['average', 'per'], words: ['salary', 'department'] }],
  [
    'Which department has the highest average salary?',
    'ask-table',
    { ask: ['average', 'highest'], words: ['department', 'salary'] },
  ],
  ['how many orders per country', 'ask-table', { ask: ['count', 'per'], words: ['orders', 'country'] }],
  ['who placed the most orders', 'ask-table', { ask: ['highest'], words: ['placed', 'orders'] }],
  ['three cheapest products', 'ask-table', { ask: ['lowest'], words: ['products'] }],
  ['sort the products by price, highest first', 'ask-table', { ask: ['sort', 'per'], words: ['products', 'price'] }],
  ['orders of at least 300', 'ask-table', { ask: [], words: ['orders'] }],
  ['how many orders are from Germany', 'ask-table', { ask: ['count'], words: ['orders', 'Germany'] }],
  ['what share of the orders was cancelled', 'ask-table', { ask: ['share'], words: ['orders', 'cancelled'] }],
  ['what are the different statuses', 'ask-table', { ask: ['distinct'], words: ['statuses'] }],
  ['how many different sites are there', 'ask-table', { ask: ['count', 'distinct'], words: ['sites'] }],
  ['break down the amount by product', 'ask-table', { ask: ['per'], words: ['amount', 'product'] }],
  ['how many products cost more than 30', 'ask-table', { ask: ['count'], words: ['products', 'cost'] }],
  ['min and max age', 'ask-table', { ask: ['highest', 'lowest'], words: ['age'] }],
  ['What is 17 % of 349.90?', 'calculate', { expression: '17 / 100 * 349.90' }],
  ["what's 15% of 80", 'calculate', { expression: '15 / 100 * 80' }],
  ['12 * (3 + 4)', 'calculate', { expression: '12 * (3 + 4)' }],
  ['calculate 2 ** 8', 'calculate', { expression: '2 ^ 8' }],
  ['square root of 144', 'calculate', { expression: 'sqrt(144)' }],
  ['what is three plus four', 'calculate', { expression: '3 + 4' }],
  ['the average of 3, 4 and 8', 'calculate', { expression: 'mean(3, 4, 8)' }],
  ['increase 200 by 15%', 'calculate', { expression: '200 * (1 + 15 / 100)' }],
  ['what percentage is 45 of 180?', 'calculate', { expression: '45 / 180 * 100' }],
  ['divide 100 by 8', 'calculate', { expression: '100 / 8' }],
  [
    'how many days until 24 December?',
    'date',
    { ask: 'diff', from: null, to: { kind: 'day', text: '24 december' }, unit: 'days' },
  ],
  [
    'how long until Christmas',
    'date',
    { ask: 'diff', from: null, to: { kind: 'day', text: '25 December' }, unit: 'days' },
  ],
  [
    'How many weeks until 2027-01-01?',
    'date',
    { ask: 'diff', from: null, to: { kind: 'day', text: '2027-01-01' }, unit: 'weeks' },
  ],
  ['what weekday is 2027-03-01?', 'date', { ask: 'weekday', date: { kind: 'day', text: '2027-03-01' } }],
  ['what day of the week is July 4th 2026', 'date', { ask: 'weekday', date: { kind: 'day', text: 'july 4th 2026' } }],
  ['90 days after 2026-01-15', 'date', { ask: 'add', date: { kind: 'day', text: '2026-01-15' }, by: { days: 90 } }],
  [
    'what date is 3 weeks from today',
    'date',
    { ask: 'add', date: { kind: 'current', unit: 'day', offset: 0 }, by: { weeks: 3 } },
  ],
  [
    'how many days between 2026-01-01 and 2026-03-10',
    'date',
    { ask: 'diff', from: { kind: 'day', text: '2026-01-01' }, to: { kind: 'day', text: '2026-03-10' }, unit: 'days' },
  ],
  ['what day is it today?', 'date', { ask: 'now' }],
  ["what's the date today", 'date', { ask: 'now' }],
  [
    'how many working days are there between 2026-03-02 and 2026-03-16',
    'date',
    {
      ask: 'diff',
      from: { kind: 'day', text: '2026-03-02' },
      to: { kind: 'day', text: '2026-03-16' },
      unit: 'weekdays',
    },
  ],
  ['is 2028 a leap year', 'date', { ask: 'leap', date: { kind: 'year', year: '2028' } }],
  ['Remember that our release day is Thursday', 'remember', { fact: 'our release day is Thursday' }],
  ['note: the code is 42', 'remember', { fact: 'the code is 42' }],
  ['please remember: Anna prefers mornings', 'remember', { fact: 'Anna prefers mornings' }],
  ["don't forget that the office closes at six", 'remember', { fact: 'the office closes at six' }],
  ['What did I tell you about the release day?', 'recall', { topic: 'release day' }],
  ['what do you remember?', 'recall', { topic: '' }],
  ['show my notes', 'recall', { topic: '' }],
  ['do you remember when the release is?', 'recall', { topic: 'release' }],
  [
    'How many files are there and what is their total size?',
    'compound',
    { parts: ['How many files are there', 'what is their total size?'] },
  ],
  [
    'Which is the largest file and how many lines does it have?',
    'compound',
    { parts: ['Which is the largest file', 'how many lines does it have?'] },
  ],
]

describe('the grammar of requests', () => {
  it('knows at least 150 phrases', () => {
    expect(phrases.length).toBeGreaterThanOrEqual(150)
  })

  it.each(phrases)('%s', (said, intent, slots) => {
    const [first] = understand(said, []).candidates
    expect({ intent: first?.intent, slots: first?.slots }).toEqual({ intent, slots })
  })

  it('reads a word with one wrong letter as the word that it knows', () => {
    const intents = (said: string) => understand(said, []).candidates.map((c) => c.intent)
    expect(intents('how mny files are ther')).toContain('count-files')
    expect(intents('sumarise README.md')).toContain('summarise')
    expect(intents('how many lins does app.log have')).toContain('file-facts')
  })

  it('completes a request that builds on the one before it', () => {
    const slots = understand('and the smallest?', ['What is the largest file?']).candidates[0]?.slots
    expect(slots).toMatchObject({ measure: 'bytes', end: 'least' })
    expect(understand('and in app.log?', ['how many lines does README.md have?']).candidates[0]?.slots).toMatchObject({
      measures: ['line'],
      paths: ['app.log'],
    })
  })

  it('takes nothing from words that it has no plan for', () => {
    for (const said of ['delete orders.csv', 'why is that', 'show me /etc/passwd', 'read ../../secret.txt']) {
      expect(understand(said, []).candidates).toEqual([])
    }
  })
})
