import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CredentialFacts } from '../../../../renderer/screens/integrations/credential-facts.tsx'
import { IntegrationList } from '../../../../renderer/screens/integrations/integration-list.tsx'
import { ProblemsPane } from '../../../../renderer/screens/integrations/problems-pane.tsx'
import { credential } from './support.ts'

function facts(patch: Parameters<typeof credential>[0], addresses = {}): string {
  const html = renderToStaticMarkup(<CredentialFacts integration={{ addresses }} credential={credential(patch)} />)
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('every host that a credential goes to stands there, and that there is no other', () => {
  expect(facts({ hosts: ['a.example', 'b.example'] })).toContain('a.example b.example and to no other')
  expect(facts({}, { 'api.github.com': 'https://ghe.example/api' })).toContain(
    'https://ghe.example/api set by you, in the place of api.github.com, and to no other',
  )
})

test('paths are told where there are any; instructions are text, never markup', () => {
  expect(facts({})).not.toContain('Only below')
  expect(facts({ paths: ['/repos', '/user'] })).toContain('Only below /repos, /user')
  const html = renderToStaticMarkup(
    <CredentialFacts
      integration={{ addresses: {} }}
      credential={credential({ instructions: '<b>bold</b> [link](https://a.example)' })}
    />,
  )
  expect(html).toContain('&lt;b&gt;bold&lt;/b&gt; [link](https://a.example)')
})

test('what was checked is told only of a credential that is in use', () => {
  const lastCheck = { at: 1, ok: false, status: 401, message: 'refused' }
  expect(facts({ state: 'refused', lastCheck })).toContain('Refused HTTP 401')
  expect(facts({ state: 'changed', lastCheck })).not.toContain('HTTP 401')
  expect(facts({ state: 'missing', connectedAt: null })).not.toContain('Last check')
  expect(facts({ lastCheck: { ...lastCheck, status: null } })).toContain('no answer')
  expect(facts({ isTestable: false })).toContain('its first use will show')
})

test('a skill that did not load is named by its file, with the reason', () => {
  const userMessage = 'The skill was not loaded, line 3: no description.'
  const error = { code: 'skill.parse', message: 'x', userMessage, retryable: false } as const
  const html = renderToStaticMarkup(<ProblemsPane problems={[{ file: '/content/skills/broken/SKILL.md', error }]} />)
  expect(html).toContain('/content/skills/broken/SKILL.md')
  expect(html).toContain(userMessage)
  expect(renderToStaticMarkup(<ProblemsPane problems={[]} />)).toContain('All skills are loaded.')
})

test('a list that could not be read says why, and offers to read it again; the hosts that are allowed stay in reach', () => {
  const error = { code: 'store.io', message: 'x', userMessage: 'The disk did not answer.', retryable: true } as const
  const load = { phase: 'failed', error, retry: () => undefined } as const
  const html = renderToStaticMarkup(<IntegrationList load={load} shown={null} />)
  expect(html).toContain('The integrations could not be listed')
  expect(html).toContain('The disk did not answer.')
  expect(html).toContain('Try again')
  expect(html).toContain('Hosts you allow')
  const loading = renderToStaticMarkup(<IntegrationList load={{ phase: 'loading', retry: load.retry }} shown={null} />)
  expect(loading).toContain('Reading the integrations')
  expect(loading).not.toContain('Try again')
})
