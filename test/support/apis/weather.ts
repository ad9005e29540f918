import type { Json, JsonObject } from '../../../core/domain/json.ts'
import { type Api, type ApiAnswer, type RoutedRequest, startApi } from './server.ts'

/** Source: open-meteo.com/en/docs, geocoding-api and historical-weather-api. */
const failed = (status: number, reason: string): ApiAnswer => ({ status, body: { error: true, reason } })

export const weatherLimit = failed(429, 'Minutely API request limit exceeded. Please try again in one minute.')

type Place = readonly [string, string, string, string, number, number, string, number]
const rows: readonly Place[] = [
  ['Springfield', 'Missouri', 'United States', 'US', 37.21, -93.3, 'America/Chicago', 166_810],
  ['Springfield', 'Massachusetts', 'United States', 'US', 42.1, -72.59, 'America/New_York', 155_929],
  ['Springfield', 'Auckland', 'New Zealand', 'NZ', -43.33, 171.93, 'Pacific/Auckland', 219],
  ['Oslo', 'Oslo', 'Norway', 'NO', 59.91, 10.75, 'Europe/Oslo', 580_000],
]
const places = rows.map(([name, admin1, country, country_code, latitude, longitude, timezone, population]) => ({
  ...{ name, admin1, country, country_code, latitude, longitude, timezone, population },
}))

/** The first day of every forecast; the archive ends five days before. */
const today = Date.UTC(2026, 0, 11)
const dayMs = 86_400_000

export function startWeather(): Promise<Api> {
  const missing = () => failed(404, 'Not Found')
  return startApi({
    'https://geocoding-api.open-meteo.com': { missing, routes: { 'GET /v1/search': findPlaces } },
    'https://api.open-meteo.com': { missing, routes: { 'GET /v1/forecast': forecast } },
    'https://archive-api.open-meteo.com': { missing, routes: { 'GET /v1/archive': archive } },
  })
}

/** One letter finds nothing, two find a whole name, three its beginning; without a hit there is no `results`. */
function findPlaces({ query }: RoutedRequest): ApiAnswer {
  const { name, count = '10' } = query
  if (name === undefined) return failed(400, "Parameter 'name' is required.")
  if (!/^\d+$/.test(count) || Number(count) < 1 || Number(count) > 100) {
    return failed(400, `Parameter count must be between 1 and 100.`)
  }
  const wanted = name.toLowerCase()
  const hits = places.filter((each) =>
    wanted.length > 2 ? each.name.toLowerCase().startsWith(wanted) : each.name.toLowerCase() === wanted,
  )
  const found = wanted.length < 2 ? [] : hits.slice(0, Number(count))
  return { status: 200, body: { ...(found.length > 0 && { results: found }), generationtime_ms: 0.5 } }
}

function forecast({ query }: RoutedRequest): ApiAnswer {
  const days = Number(query.forecast_days ?? 7)
  const past = Number(query.past_days ?? 0)
  if (!(days >= 0 && days <= 16)) return outOfRange('Forecast days', query.forecast_days, 16)
  if (!(past >= 0 && past <= 92)) return outOfRange('Past days', query.past_days, 92)
  return weatherOf(query, { from: today - past * dayMs, days: days + past })
}

function archive({ query }: RoutedRequest): ApiAnswer {
  const from = Date.parse(query.start_date ?? '')
  const to = Date.parse(query.end_date ?? '')
  if (Number.isNaN(from) || Number.isNaN(to)) return failed(400, "Parameter 'start_date' and 'end_date' must be set")
  if (to < from) return failed(400, 'End-date must be larger or equals than start-date')
  if (to > today - 5 * dayMs) return failed(400, "Parameter 'end_date' is out of allowed range")
  if ((query.daily ?? '').includes('probability')) return unknown('precipitation_probability_max')
  return weatherOf(query, { from, days: (to - from) / dayMs + 1 })
}

const outOfRange = (what: string, given: string | undefined, most: number) =>
  failed(400, `${what} is invalid. Allowed range 0 to ${most}. Given ${given}.`)
const unknown = (name: string) =>
  failed(400, `Data corrupted at path ''. Cannot initialize VariableOrDerived from invalid String value ${name}.`)

const units: Readonly<Record<string, string>> = {
  ...{ temperature_2m: '°C', apparent_temperature: '°C', temperature_2m_max: '°C', temperature_2m_min: '°C' },
  ...{ relative_humidity_2m: '%', precipitation: 'mm', precipitation_sum: 'mm', wind_speed_10m: 'km/h' },
  ...{ precipitation_probability: '%', precipitation_probability_max: '%', wind_speed_10m_max: 'km/h' },
  ...{ weather_code: 'wmo code', sunrise: 'iso8601', sunset: 'iso8601' },
}

interface Span {
  readonly from: number
  readonly days: number
}

function weatherOf(query: RoutedRequest['query'], span: Span): ApiAnswer {
  const latitudes = numbers(query.latitude)
  const longitudes = numbers(query.longitude)
  if (latitudes.length !== longitudes.length) {
    return failed(400, "Parameter 'latitude' and 'longitude' must have the same number of elements")
  }
  const wrong = latitudes.find((each) => !(Math.abs(each) <= 90))
  if (wrong !== undefined) return failed(400, `Latitude must be in range of -90 to 90°. Given: ${wrong}.`)
  if (query.daily !== undefined && query.timezone === undefined) return failed(400, 'Timezone is required')
  const asked = ['current', 'hourly', 'daily'].flatMap((each) => query[each]?.split(',') ?? [])
  const strange = asked.find((each) => !(each in units))
  if (strange !== undefined) return unknown(strange)
  const all = latitudes.map((latitude, at) => weatherAt({ latitude, longitude: longitudes[at] ?? 0 }, query, span))
  return { status: 200, body: all.length === 1 ? (all[0] ?? null) : all }
}

function weatherAt(where: JsonObject, query: RoutedRequest['query'], { from, days }: Span): JsonObject {
  const zone = query.timezone === undefined ? 'GMT' : query.timezone === 'auto' ? 'Europe/Oslo' : query.timezone
  const dates = Array.from({ length: days }, (_, at) => new Date(from + at * dayMs).toISOString().slice(0, 10))
  const hours = dates.flatMap((date) =>
    Array.from({ length: 24 }, (_, at) => `${date}T${String(at).padStart(2, '0')}:00`),
  )
  return {
    ...{ ...where, timezone: zone, utc_offset_seconds: zone === 'GMT' ? 0 : 3_600 },
    ...(query.current !== undefined && block('current', query, ['2026-01-11T12:00'], (values) => values[0] ?? null)),
    ...(query.hourly !== undefined && block('hourly', query, hours)),
    ...(query.daily !== undefined && block('daily', query, dates)),
  }
}

/** Parallel lists under one name, and their units under another. */
function block(
  kind: 'current' | 'hourly' | 'daily',
  query: RoutedRequest['query'],
  times: readonly string[],
  shape: (values: readonly Json[]) => Json = (values) => values,
): JsonObject {
  const names = query[kind]?.split(',') ?? []
  const values = (name: string) => times.map((time, at): Json => (name.startsWith('sun') ? `${time}T09:00` : at))
  const unit = (name: string) =>
    units[name] === '°C' && query.temperature_unit === 'fahrenheit' ? '°F' : (units[name] ?? '')
  return {
    [`${kind}_units`]: { time: 'iso8601', ...Object.fromEntries(names.map((name) => [name, unit(name)])) },
    [kind]: { time: shape(times), ...Object.fromEntries(names.map((name) => [name, shape(values(name))])) },
  }
}

const numbers = (list = '') => list.split(',').map((each) => (each === '' ? Number.NaN : Number(each)))
