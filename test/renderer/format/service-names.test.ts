import { expect, test } from 'vitest'
import { credentialTitle, serviceTitle } from '../../../renderer/format/service-names.ts'

test.each([
  ['github', 'GitHub'],
  ['web-research', 'Web research'],
  ['my_api', 'My API'],
  ['jira', 'Jira'],
])('%s is written %s', (name, title) => {
  expect(serviceTitle(name)).toBe(title)
})

test.each([
  ['github_token', 'github', 'github', 'GitHub token'],
  ['slack_bot_token', 'slack', 'slack', 'Slack bot token'],
  // Named after the skill, given by another provider.
  ['jira_api_token', 'atlassian', 'jira', 'Atlassian API token'],
  ['deploy_key', 'github', 'pages', 'GitHub deploy key'],
  ['notion', 'notion', 'notion', 'Notion key'],
])('the credential %s of %s, of the skill %s, is called %s', (name, provider, skill, title) => {
  expect(credentialTitle({ name, provider, skill })).toBe(title)
})
