import { describe, expect, it } from 'vitest'
import { describeCalls, describeFormat } from '../support/apis/format.ts'
import { begin, closeSandboxAtEnd, shippedSkill } from '../support/apis/skill.ts'
import {
  crossref,
  crossrefLimit,
  startWebResearch,
  wikidata,
  wikiLag,
  wikipedia,
} from '../support/apis/web-research.ts'

closeSandboxAtEnd()
const skill = shippedSkill('web-research')
const start = () => begin({ skill: skill.file, start: startWebResearch })
const wiki = (url: string, query: string) => `http(method="GET", url="${url}?${query}&format=json&formatversion=2")`

describeFormat(skill)

describeCalls({
  skill,
  base: '',
  start: startWebResearch,
  rows: [
    [
      `GET ${wikipedia}?action=query&list=search&srsearch={words}&srlimit=10`,
      wiki(wikipedia, 'action=query&list=search&srsearch=tide&srlimit=10'),
      200,
      { query: { search: { 9: { title: 'Tide 10' } } }, continue: { sroffset: 10 } },
    ],
    [
      `GET ${wikipedia}?action=query&prop=extracts&explaintext=1&redirects=1&titles={title}`,
      wiki(wikipedia, 'action=query&prop=extracts&explaintext=1&redirects=1&titles=Flood%20tide'),
      200,
      { query: { pages: [{ title: 'Tide 1', extract: 'Tides rise and fall.\n\n== Causes ==\nThe Moon.' }] } },
    ],
    [
      `GET ${wikipedia}?action=query&prop=extlinks&ellimit=50&titles={title}`,
      wiki(wikipedia, 'action=query&prop=extlinks&ellimit=50&titles=Tide%201'),
      200,
      { query: { pages: [{ extlinks: [{ url: 'https://tides.example/source' }] }] } },
    ],
    [
      `GET ${wikidata}?action=wbsearchentities&search={name}&language=en`,
      wiki(wikidata, 'action=wbsearchentities&search=tide&language=en'),
      200,
      { search: [{ id: 'Q23384' }] },
    ],
    [
      `GET ${wikidata}?action=wbgetentities&ids={ids}&props=claims`,
      wiki(wikidata, 'action=wbgetentities&ids=Q23384&props=claims'),
      200,
      { entities: { Q23384: { claims: { P2048: [{}] } } } },
    ],
    [
      `GET ${crossref}/works?query.bibliographic={words}&rows=10&select=DOI,title,author,issued`,
      `http(method="GET", url="${crossref}/works", query={"query.bibliographic": "on tides", "rows": 10, "select": "DOI,title,author,issued"})`,
      200,
      { message: { 'total-results': 210, items: { 9: { DOI: '10.5555/tides.10', title: ['On tides, part 10'] } } } },
    ],
    [
      `GET ${crossref}/works/{doi}`,
      `http(method="GET", url="${crossref}/works/10.5555/tides.7")`,
      200,
      { message: { DOI: '10.5555/tides.7', 'is-referenced-by-count': 7 } },
    ],
  ],
})

describe('wiki_search', () => {
  it('finds the first articles, with addresses that lead there whatever the title holds', async () => {
    const { api, run } = await start()
    const found = await run('wiki_search("tide")')
    expect(found).toHaveLength(10)
    expect(found).toMatchObject({ 0: { title: 'Tide 1', words: 600, url: 'https://en.wikipedia.org/?curid=1001' } })
    expect(api.requests).toHaveLength(1)
    expect(api.requests[0]).toMatchObject({ query: { format: 'json', formatversion: '2', srlimit: '10' } })
  })

  it('walks the pages to the last', async () => {
    const { api, run } = await start()
    expect(await run('wiki_search("tide", most=1000)')).toHaveLength(120)
    expect(api.requests.map(({ query }) => query.sroffset)).toEqual([undefined, '50', '100'])
  })

  it('finds nothing where there is nothing', async () => {
    expect(await (await start()).run('wiki_search("desert")')).toEqual([])
  })

  it('gives back an error that comes with HTTP 200, in the middle of the pages too', async () => {
    const { api, run } = await start()
    api.answerAt(1, wikiLag)
    const message = { error: { code: 'maxlag' } }
    expect(await run('wiki_search("tide", most=1000)')).toMatchObject({ error: 200, message, retry_after: '5' })
  })
})

describe('find_papers', () => {
  it('gives what each paper says of itself, and does without what it leaves out', async () => {
    const { run } = await start()
    expect(await run('find_papers("on tides", most=5)')).toEqual([
      { title: 'On tides, part 1', authors: ['Ada Ebb1'], year: 1991, doi: '10.5555/tides.1', citations: 1 },
      { title: 'On tides, part 2', authors: ['Tide Gauge Group'], year: 1992, doi: '10.5555/tides.2', citations: 2 },
      { title: 'untitled', authors: ['Ada Ebb3'], year: 1993, doi: '10.5555/tides.3', citations: 3 },
      { title: 'On tides, part 4', authors: [], year: 1994, doi: '10.5555/tides.4', citations: 4 },
      { title: 'On tides, part 5', authors: ['Ada Ebb5'], year: null, doi: '10.5555/tides.5', citations: 5 },
    ])
  })

  it('walks the pages by their cursors, to the one that is not full', async () => {
    const { api, run } = await start()
    expect(await run('find_papers("tides", most=1000)')).toHaveLength(210)
    expect(api.requests.map(({ query }) => query.cursor)).toEqual(['*', 'at:100', 'at:200'])
  })

  it('leaves out what is older', async () => {
    const { api, run } = await start()
    const found = await run('find_papers("tides", most=1000, since="2015-01-01")')
    expect(found).toHaveLength(35)
    expect(api.requests[0]).toMatchObject({ query: { filter: 'from-pub-date:2015-01-01' } })
  })

  it('gives back what is wrong', async () => {
    const { run } = await start()
    const message = { 'message-type': 'validation-failure', message: [{ message: 'There is no such filter.' }] }
    expect(await run('find_papers("tides", since="soon")')).toMatchObject({ error: 400, message })
  })

  it('says that the limit is reached', async () => {
    const { api, run } = await start()
    api.answerAt(1, crossrefLimit)
    expect(await run('find_papers("tides", most=1000)')).toMatchObject({ error: 429, message: 'Too many requests.' })
  })
})

describe('what else the text says', () => {
  it('the lead only, and no such article', async () => {
    const { run } = await start()
    const read = (rest: string) => wiki(wikipedia, `action=query&prop=extracts&explaintext=1&${rest}`)
    const lead = { query: { pages: [{ extract: 'Tides rise and fall.' }] } }
    expect(await run(read('exintro=1&titles=Tide%201'))).toMatchObject({ body: lead })
    expect(await run(read('titles=Desert'))).toMatchObject({ body: { query: { pages: [{ missing: true }] } } })
  })

  it('the most cited come first', async () => {
    const { run } = await start()
    const query = '{"query.bibliographic": "tides", "rows": 1, "sort": "is-referenced-by-count", "order": "desc"}'
    const items = [{ DOI: '10.5555/tides.210' }]
    expect(await run(`http(method="GET", url="${crossref}/works", query=${query})`)).toMatchObject({
      body: { message: { items } },
    })
  })

  it('a DOI that nobody knows is a 404', async () => {
    const { run } = await start()
    expect(await run(`http(method="GET", url="${crossref}/works/10.5555/none")`)).toMatchObject({ status: 404 })
  })

  it('a thing that is not there is an error with HTTP 200', async () => {
    const { run } = await start()
    const labels = { en: { value: 'tide' } }
    const known = await run(wiki(wikidata, 'action=wbgetentities&ids=Q23384&props=labels'))
    expect(known).toMatchObject({ body: { entities: { Q23384: { labels } } } })
    const answer = await run(wiki(wikidata, 'action=wbgetentities&ids=Q1&props=labels'))
    expect(answer).toMatchObject({ status: 200, body: { error: { code: 'no-such-entity' } } })
  })
})
