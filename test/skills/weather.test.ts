import { describe, expect, it } from 'vitest'
import { describeCalls, describeFormat } from '../support/apis/format.ts'
import { begin, closeSandboxAtEnd, documentedCalls, shippedSkill } from '../support/apis/skill.ts'
import { startWeather, weatherLimit } from '../support/apis/weather.ts'

closeSandboxAtEnd()
const skill = shippedSkill('weather')
const start = () => begin({ skill: skill.file, start: startWeather })
const forecast = (query: string) => `http(method="GET", url="https://api.open-meteo.com/v1/forecast?${query}")`
/** Its calls stand in the text as they are sent. */
const asWritten = (documented: string) => `http(method="GET", url="${documented.slice('GET '.length)}")`
const [finding = '', coming = '', past = ''] = documentedCalls(skill.file)

describeFormat(skill)

describeCalls({
  skill,
  base: '',
  start: startWeather,
  rows: [
    [
      finding,
      asWritten(finding),
      200,
      { results: [{ name: 'Oslo', country: 'Norway', country_code: 'NO', timezone: 'Europe/Oslo', latitude: 59.91 }] },
    ],
    [
      coming,
      asWritten(coming),
      200,
      {
        current: { time: '2026-01-11T12:00', temperature_2m: 0 },
        daily: { time: { 0: '2026-01-11', 6: '2026-01-17' }, temperature_2m_max: [0, 1, 2, 3, 4, 5, 6] },
        daily_units: { temperature_2m_max: '°C' },
      },
    ],
    [past, asWritten(past), 200, { daily: { time: { 0: '2025-01-01', 30: '2025-01-31' } }, timezone: 'Europe/Oslo' }],
  ],
})

describe('weather_place', () => {
  it('is the first of several, the largest one', async () => {
    const { api, run } = await start()
    expect(await run('weather_place("Springfield")')).toEqual({
      ...{ name: 'Springfield', region: 'Missouri', country: 'United States' },
      ...{ latitude: 37.21, longitude: -93.3, timezone: 'America/Chicago' },
    })
    expect(api.requests[0]).toMatchObject({ origin: 'https://geocoding-api.open-meteo.com', query: { count: '10' } })
    expect(api.requests[0]?.headers.authorization).toBeUndefined()
  })

  it.each(['New Zealand', 'nz', 'NZ'])('is that of the country %s', async (country) => {
    const { run } = await start()
    expect(await run(`weather_place("Springfield", country="${country}")`)).toMatchObject({ region: 'Auckland' })
  })

  it.each([
    ['Atlantis', ''],
    ['O', ''],
    ['Oslo', ', country="SE"'],
  ])('is None for %s%s', async (name, country) => {
    const { run } = await start()
    expect(await run(`weather_place("${name}"${country})`)).toBeNull()
  })

  it('says that the limit is reached, and which one', async () => {
    const { api, run } = await start()
    api.answerAt(0, weatherLimit)
    const message = { error: true, reason: 'Minutely API request limit exceeded. Please try again in one minute.' }
    expect(await run('weather_place("Oslo")')).toEqual({ error: 429, message })
  })
})

describe('weather_days', () => {
  it('gives a row for each day', async () => {
    const { api, run } = await start()
    const days = await run('weather_days(59.91, 10.75, days=3)')
    expect(days).toHaveLength(3)
    expect(days).toMatchObject({
      0: { date: '2026-01-11' },
      2: { date: '2026-01-13', code: 2, high: 2, low: 2, rain_mm: 2, rain_percent: 2, wind_kmh: 2 },
    })
    expect(api.requests[0]).toMatchObject({ query: { timezone: 'auto', forecast_days: '3', latitude: '59.91' } })
  })

  it('goes on from a place', async () => {
    const { run } = await start()
    const code = 'place = weather_place("Oslo")\nweather_days(place["latitude"], place["longitude"])'
    expect(await run(code)).toHaveLength(7)
  })

  it.each([
    ['more days than there are', '59.91, 10.75, days=17', 'Forecast days is invalid. Allowed range 0 to 16. Given 17.'],
    ['a place off the earth', '159.91, 10.75', 'Latitude must be in range of -90 to 90°. Given: 159.91.'],
  ])('gives back the reason for %s', async (_what, args, reason) => {
    const { run } = await start()
    expect(await run(`weather_days(${args})`)).toEqual({ error: 400, message: { error: true, reason } })
  })

  it('says that the limit is reached', async () => {
    const { api, run } = await start()
    api.answerAt(0, weatherLimit)
    expect(await run('weather_days(59.91, 10.75)')).toMatchObject({ error: 429, message: { error: true } })
  })
})

describe('what else the text says', () => {
  it.each(['current', 'hourly', 'daily'])('every value of %s that it names is there', async (kind) => {
    const [, names = ''] = new RegExp(`\`${kind}=([a-z0-9_,]+,[a-z0-9_,]+)\``).exec(skill.file.body) ?? []
    expect(names.split(',').length).toBeGreaterThan(1)
    const { run } = await start()
    const keys = names.split(',').map((name) => [name, expect.anything()])
    const answer = await run(forecast(`latitude=59.91&longitude=10.75&${kind}=${names}&timezone=auto`))
    expect(answer).toMatchObject({ status: 200, body: { [kind]: Object.fromEntries(keys) } })
  })

  it('several places are answered by a list', async () => {
    const { run } = await start()
    const answer = await run(forecast('latitude=59.91,42.1&longitude=10.75,-72.59&current=temperature_2m'))
    expect(answer).toMatchObject({ body: [{ latitude: 59.91 }, { latitude: 42.1, current: { temperature_2m: 0 } }] })
  })

  it('daily values need a time zone', async () => {
    const { run } = await start()
    const answer = await run(forecast('latitude=59.91&longitude=10.75&daily=temperature_2m_max'))
    expect(answer).toMatchObject({ status: 400, body: { error: true, reason: 'Timezone is required' } })
  })

  it('days before today stand in front, and other units are named', async () => {
    const { run } = await start()
    const query = 'latitude=59.91&longitude=10.75&daily=temperature_2m_max&timezone=auto&past_days=2&forecast_days=1'
    const body = {
      daily: { time: ['2026-01-09', '2026-01-10', '2026-01-11'] },
      daily_units: { temperature_2m_max: '°F' },
    }
    expect(await run(forecast(`${query}&temperature_unit=fahrenheit`))).toMatchObject({ body })
  })

  it.each([
    ['a value that there is not', 'daily=sunshine_of_love&timezone=auto'],
    ['93 days of the past', 'past_days=93'],
  ])('%s is a 400 that says why', async (_what, query) => {
    const { run } = await start()
    const answer = await run(forecast(`latitude=59.91&longitude=10.75&${query}`))
    expect(answer).toMatchObject({ status: 400, body: { error: true, reason: expect.stringMatching(/sunshine|92/) } })
  })

  it.each([
    ['is late', 'end_date=2026-01-10&daily=temperature_2m_max'],
    ['has no probabilities', 'end_date=2025-01-31&daily=precipitation_probability_max'],
  ])('the archive %s', async (_what, query) => {
    const { run } = await start()
    const url = `https://archive-api.open-meteo.com/v1/archive?latitude=59.91&longitude=10.75&start_date=2025-01-01&timezone=auto&${query}`
    expect(await run(`http(method="GET", url="${url}")`)).toMatchObject({ status: 400, body: { error: true } })
  })
})
