import { z } from 'zod'
import { type CredentialLocation, credentialFor, withCredential } from '../../../core/capabilities/http/credential.ts'
import type { JsonObject } from '../../../core/domain/json.ts'
import type { SkillCredential, SkillFile } from '../../../core/skills/file/parse.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])
const callSchema = z.strictObject({
  method: z.string().default('GET'),
  url: z.url(),
  headers: z.record(z.string(), z.string()).default({}),
  query: z.record(z.string(), scalar).default({}),
  json: z.json().optional(),
  form: z.record(z.string(), scalar).optional(),
  body: z.string().optional(),
})

export interface HttpOptions {
  readonly skill: SkillFile
  /** Public origin → loopback address. Anywhere else there is no network. */
  readonly addresses: Readonly<Record<string, string>>
  /** The value of each credential by its name; one without a value is not sent. */
  readonly secrets: Readonly<Record<string, string>>
}

/** A failed connection: the code reads it as a RuntimeError. */
export class HttpFailure extends Error {}

/**
 * The `http` action as code sees it: the same arguments and the same result, with the credentials that the skill declares,
 * over real HTTP to a loopback server. An answer that is no success is a result like any other.
 */
export function createHttp({ skill, addresses, secrets }: HttpOptions) {
  return async (args: JsonObject): Promise<JsonObject> => {
    const call = callSchema.parse(args)
    const url = new URL(call.url)
    for (const [name, value] of Object.entries(call.query)) url.searchParams.set(name, String(value))
    const address = addresses[url.origin]
    if (address === undefined) throw new HttpFailure(`no connection to ${url.host}`)
    const plain = { url: url.href, headers: { ...call.headers, ...contentType(call) } }
    const sent = credentialed(plain, { skill, url, secrets })
    const body = bodyOf(call)
    const response = await reached(() =>
      fetch(sent.url.replace(url.origin, address), {
        ...{ method: call.method, headers: sent.headers },
        ...(body !== undefined && { body }),
      }),
    )
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: read(await response.text(), response.headers.get('content-type') ?? ''),
      url: plain.url,
    }
  }
}

type Call = z.infer<typeof callSchema>

function contentType({ json, form }: Call): Record<string, string> {
  if (json !== undefined) return { 'content-type': 'application/json' }
  return form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
}

function bodyOf({ json, form, body }: Call): string | undefined {
  if (json !== undefined) return JSON.stringify(json)
  if (form === undefined) return body
  return String(new URLSearchParams(Object.entries(form).map(([name, value]) => [name, String(value)])))
}

function credentialed(
  request: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  { skill, url, secrets }: { skill: SkillFile; url: URL; secrets: HttpOptions['secrets'] },
) {
  const declared = skill.credentials.map((each) => ({
    ...{ name: each.name, provider: each.provider, skill: skill.name, hosts: each.hosts },
    ...{ location: locationOf(each), pathPrefixes: each.path_patterns },
  }))
  const credential = credentialFor(url, declared)
  const value = credential && secrets[credential.name]
  return credential === undefined || value === undefined ? request : withCredential(request, credential, value)
}

function locationOf({ location }: SkillCredential): CredentialLocation {
  switch (location.type) {
    case 'bearer':
      return { type: 'bearer' }
    case 'header':
      return { type: 'header', name: location.name, prefix: location.prefix }
    case 'basic':
    case 'basic_auth':
      return { type: 'basic', username: location.username }
    case 'query':
    case 'query_param':
      return { type: 'query', name: location.name }
  }
}

async function reached(send: () => Promise<Response>): Promise<Response> {
  try {
    return await send()
  } catch (error) {
    throw new HttpFailure(error instanceof Error ? error.message : 'the connection failed')
  }
}

function read(text: string, type: string) {
  if (!/\bjson\b/.test(type)) return text
  try {
    return z.json().parse(JSON.parse(text))
  } catch {
    // A server may name a format that it then does not send: GitHub's raw files are of a type that ends in json.
    return text
  }
}
