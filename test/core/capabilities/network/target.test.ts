import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressProblem } from '../../../../core/capabilities/network/address.ts'
import { checkTarget } from '../../../../core/capabilities/network/target.ts'

interface Row {
  readonly id: string
  readonly url: string
  readonly answers: readonly string[]
  readonly redirect: string
  readonly expected: string
  readonly code: string
}

const rows: readonly Row[] = fs
  .readFileSync(path.join(import.meta.dirname, 'ssrf.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', url = '', dns = '', redirect = '', expected = '', code = ''] = line.split('\t')
    return { id, url, answers: dns.split('|').filter((answer) => answer !== ''), redirect, expected, code }
  })

const signal = new AbortController().signal

/** Answers its look-ups one after the other; the last one again and again. */
function resolver(answers: readonly string[]) {
  let asked = 0
  return async () => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? ''
    asked += 1
    return answer.split(',').filter((address) => address !== '')
  }
}

describe('where a URL leads', () => {
  it.each(rows)('$id $url', async ({ url, answers, redirect, expected, code }) => {
    const first = await checkTarget(url, { resolve: resolver(answers), signal })
    const [to = '', address = ''] = redirect.split('=')
    const last = first.ok && to !== '' ? await checkTarget(to, { resolve: resolver([address]), signal }) : first
    if (expected === 'allow') return expect(last).toMatchObject({ ok: true })
    // Pinned: what was checked first is all that may be connected to.
    if (expected === 'deny_or_pinned') return expect(last).toMatchObject({ ok: true, addresses: [answers[0]] })
    expect(last).toMatchObject({ ok: false, code: code === 'SSRF_LOOPBACK_OR_INVALID' ? 'SSRF_LOOPBACK' : code })
  })

  it('is refused whole when one of its addresses is not public', async () => {
    const resolve = resolver(['93.184.215.14,10.0.0.7'])
    await expect(checkTarget('https://two.example/', { resolve, signal })).resolves.toMatchObject({
      ok: false,
      code: 'SSRF_PRIVATE',
    })
  })

  it('is not waited for longer than the caller waits, however slow the name server is', async () => {
    const controller = new AbortController()
    const target = checkTarget('https://slow.example/', {
      resolve: () => new Promise(() => undefined),
      signal: controller.signal,
    })
    controller.abort(new Error('too late'))
    await expect(target).rejects.toThrow('too late')
  })

  it('is refused when the name has no address', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'))
    await expect(checkTarget('https://gone.example/', { resolve, signal })).resolves.toMatchObject({
      ok: false,
      code: 'SSRF_DNS',
    })
  })

  it('looks up no name for an address', async () => {
    const resolve = () => Promise.reject(new Error('must not be asked'))
    await expect(checkTarget('https://8.8.8.8/', { resolve, signal })).resolves.toMatchObject({
      addresses: ['8.8.8.8'],
    })
  })
})

describe('an address', () => {
  it.each([
    ['::7f00:1', 'SSRF_LOOPBACK'],
    ['::5db8:d70e', 'SSRF_RESERVED'],
    ['64:ff9b::5db8:d70e', null],
    ['64:ff9b::a00:1', 'SSRF_NAT64'],
    ['64:ff9b:1::5db8:d70e', 'SSRF_NAT64'],
    ['fec0::1', 'SSRF_PRIVATE'],
    ['255.255.255.255', 'SSRF_RESERVED'],
    ['0.1.2.3', 'SSRF_UNSPECIFIED'],
    ['198.18.0.1', 'SSRF_RESERVED'],
    ['2001::1', 'SSRF_RESERVED'],
    ['2001:db8::1', 'SSRF_RESERVED'],
    ['100::1', 'SSRF_RESERVED'],
    ['fe80::1%eth0', 'SSRF_LINKLOCAL'],
    ['not an address', 'SSRF_URL_INVALID'],
    ['2606:4700:4700::1111', null],
  ])('%s is %s', (text, code) => {
    expect(addressProblem(text)).toBe(code)
  })
})
