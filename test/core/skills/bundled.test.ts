import path from 'node:path'
import { expect, test } from 'vitest'
import { createSkillSelector } from '../../../core/skills/select.ts'
import { readSkillLibrary } from '../../../core/skills/skills.ts'
import { contentDir } from '../../support/engine.ts'

const { skills } = readSkillLibrary(path.join(contentDir, 'skills'))
const selector = createSkillSelector(skills)

function chosenFor(text: string): readonly string[] {
  const nobody = { active: [], inherited: [], carried: [], missing: () => [], confidence: () => null }
  return selector.select({ text, isPersons: true, ...nobody }, skills.length).joining.map(({ skill }) => skill.name)
}

// A skill that joins where it is not needed costs its tokens in every step, and lets its hosts be read unasked.
test.each([
  'When does the ferry leave, by notes.md?',
  'Find the TODOs in this repository and count them by file',
  'Summarise the docs folder and write the result to summary.md',
  'Which channel has the highest average temperature in data/sensors.csv?',
  'Make the sales forecast for next quarter from sales.csv',
  'Commit messages in CHANGELOG.md should be sorted by date',
  'List the issues that the log file names',
  'Open the file issues.md and close each item that is done',
  'Write a message to the user when the tests are over',
  'Post-process the images and write them to #out',
  'Check the sources of the build for a paper size setting',
  'Research notes are in notes/: merge them',
  'What is a linear regression of these two columns?',
  'Rename the wiki pages to lower case',
  'Add a chat history viewer to the web app',
  'Send the report to the printer queue #12',
  'Show the wind column of table.csv',
  'Compare the articles in docs/ about caching',
  'Search the code for fetch and list what it calls',
  'Fix the failing test',
])('for ordinary work none joins: %s', (goal) => {
  expect(chosenFor(goal)).toEqual([])
})

test.each([
  ['Open a GitHub issue in octo/tides titled “Neap tides”', 'github'],
  ['List the open pull requests of octo/tides', 'github'],
  ['What do the issues in octo/tides say?', 'github'],
  ['Close octo/tides#7', 'github'],
  ['Post hello to #general on Slack', 'slack'],
  ['Send the summary to #release-notes', 'slack'],
  ['Write down the plan as a Notion page', 'notion'],
  ['Which Jira tickets are mine?', 'jira'],
  ['Create a Linear issue for the login bug', 'linear'],
  ['Will it rain in Bergen tomorrow?', 'weather'],
  ['How warm is it in Lisbon?', 'weather'],
  ['What does Wikipedia say about neap tides?', 'web-research'],
  ['Find recent papers on tidal energy', 'web-research'],
  ['Look up online who invented the tide gauge', 'web-research'],
])('%s: %s', (goal, name) => {
  expect(chosenFor(goal)).toEqual([name])
})
