import { describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { statementsIn } from '../../../core/learning/statements.ts'

const wish = 'Always use metric units.'

describe('what a person says outright and for good', () => {
  test.each([
    [wish, 'preference'],
    ['Please never delete files without asking me.', 'preference'],
    ['From now on write dates as 2026-03-01.', 'preference'],
    ['I prefer short answers.', 'preference'],
    ["I'd really prefer tables over prose.", 'preference'],
    ['No, never use feet.', 'correction'],
    ["That's wrong: always look at the last page.", 'correction'],
    ['I told you to always use the metric system.', 'correction'],
    ['Whenever you read a log, always look at the last lines first.', 'workflow'],
    ['Before you write a report, always make sure the figures add up.', 'workflow'],
    ['Remember that our fiscal year begins in July.', 'knowledge'],
    ['FYI the gauge was moved in March.', 'knowledge'],
    ['Always write “total” in the last row.', 'preference'],
  ])('%s is a %s', (text, topic) => {
    expect(statementsIn(text)).toEqual([{ topic, text }])
  })

  test.each([
    ['a question', 'Do you always use metric units?'],
    ['of this task alone', 'Never touch b.txt this time.'],
    ['of today', 'Always use feet for now.'],
    ['an idiom', 'Never mind the second file.'],
    ['within a task', 'List the tests that always fail.'],
    ['a correction of a task', 'No, the total should be 42 for invoice A-17.'],
    ['a correction of its words', "That's wrong, the sum is 315."],
    ['what was meant', 'I meant the March report.'],
    ['which of them', 'No, use the second table.'],
    ['which of them, more politely', "I'd prefer the second table."],
    ['an order within a task', 'Before you answer, first read reports/2026-03.csv please.'],
    ['a note on a task', 'Note that the meeting is in room 4.'],
    ['somebody’s address', 'Always write to anna@example.com first.'],
    ['a number to call', 'Remember that the office is +49 30 1234567.'],
    ['too long to be one fact', `Always ${'really '.repeat(80)}use metric units.`],
    ['a plain task', 'Count the words in notes.md.'],
  ])('nothing that is %s', (_name, text) => {
    expect(statementsIn(text)).toEqual([])
  })

  test('each sentence on its own, without the mark of a list', () => {
    const text = 'Count the words. Always use metric units.\n- I prefer short answers.'
    expect(statementsIn(text).map((each) => each.text)).toEqual([wish, 'I prefer short answers.'])
  })
})

describe('what somebody else says', () => {
  test.each([
    ['quoted line by line', `> ${wish}`],
    ['between fences', `\`\`\`\n${wish}\n\`\`\``],
    ['between other fences', `~~~\n${wish}`],
    ['indented', `    ${wish}`],
    ['between quotation marks', `The sign says "Stay out. ${wish}" and more.`],
    ['after a quotation mark', `The sign says “Stay out. ${wish}`],
    ['a mail', `From: Bo\nSubject: units\n\n${wish}`],
    ['a mail that was answered', `On Monday Bo wrote:\n${wish}`],
    ['a mail that was forwarded', `-----Original Message-----\n${wish}`],
    ['a mail that is announced', `Hi, here is the mail I got: \n${wish}\nRegards`],
    ['a letter', `Dear colleagues,\n${wish}`],
    ['signed', `${wish}\nKind regards,\nBo`],
    ['announced in a sentence', `Translate the following. ${wish}`],
    ['a page that is summed up', `Sum up this article. ${wish}`],
    ['a row of a table', `| ${wish} |`],
  ])('%s', (_name, text) => {
    expect(statementsIn(text)).toEqual([])
  })

  test('what stands before it is the person’s', () => {
    expect(statementsIn(`${wish}\n\nFrom: Bo\nSubject: units\n\nNever use metres.`)).toEqual([
      { topic: 'preference', text: wish },
    ])
  })

  test('so many lines in a row are pasted', () => {
    const lines = (n: number) => [wish, ...Array.from({ length: n - 1 }, (_, at) => `line ${at}`)].join('\n')
    expect(statementsIn(lines(limits.ownParagraphLines))).toHaveLength(1)
    expect(statementsIn(lines(limits.ownParagraphLines + 1))).toEqual([])
  })

  test('so many characters in a row are pasted; the paragraph after them is not', () => {
    const long = (n: number) => `${wish} `.padEnd(n, 'X')
    expect(statementsIn(long(limits.ownParagraphCharacters))).toHaveLength(1)
    expect(statementsIn(long(limits.ownParagraphCharacters + 1))).toEqual([])
    expect(statementsIn(`${long(limits.ownParagraphCharacters + 1)}\n\n${wish}`)).toHaveLength(1)
  })
})
