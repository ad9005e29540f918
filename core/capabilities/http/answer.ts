import { htmlToText } from 'html-to-text'
import type { Json, JsonObject } from '../../domain/json.ts'
import { resultCharacters } from '../actions/allowance.ts'
import { detectContent, headBytes } from '../actions/files/encoding.ts'
import type { NetworkAnswer } from '../network/network.ts'

/** What the body of an answer is to a reader. */
type Body =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly type: string }

/**
 * What the model reads of an answer: data as data, a page as its text, at most `characters` of text, and never bytes that are no
 * text. An HTTP status is a fact here, not a failure. Source: engine-behaviour 9.1.
 */
export function answerOf(answer: NetworkAnswer, characters: number): JsonObject {
  const { status, url, headers, body, isCut } = answer
  const shown = { status, url, headers: shownHeaders(headers) }
  const found = bodyOf(body, headers['content-type'] ?? '', isCut)
  if (found.kind === 'binary') {
    const note = `The answer is ${found.type}, ${body.byteLength} bytes, and no text: use save_to to keep it as a file.`
    return { ...shown, body: null, note }
  }
  if (found.kind === 'json' && resultCharacters(found.value) <= characters) return { ...shown, body: found.value }
  const text = found.kind === 'json' ? JSON.stringify(found.value) : found.text
  if (!isCut && resultCharacters(text) <= characters) return { ...shown, body: text }
  const head = fittingStart(text, characters)
  const whole = isCut ? `more than ${body.byteLength} bytes` : `${text.length} characters`
  const note = `Only the first ${head.length} characters are here, of ${whole}. Ask for fewer rows or fields, or use save_to.`
  return { ...shown, body: head, note }
}

/** As much of a text as fits once it stands in JSON: quotes, line breaks and hidden characters take more there. */
function fittingStart(text: string, characters: number): string {
  let head = text.slice(0, characters).toWellFormed()
  for (let size = resultCharacters(head); size > characters; size = resultCharacters(head)) {
    head = head.slice(0, Math.floor((head.length * characters) / size) - 1).toWellFormed()
  }
  return head
}

function bodyOf(bytes: Uint8Array, contentType: string, isCut: boolean): Body {
  if (bytes.byteLength === 0) return { kind: 'text', text: '' }
  const [, type = '', charset] = /^\s*([^;\s]*)(?:.*?charset\s*=\s*"?([^\s";]+))?/i.exec(contentType) ?? []
  const mime = type.toLowerCase()
  const text = textOf(bytes, mime, charset)
  if (typeof text !== 'string') return text
  if (/[/+]json$/.test(mime)) return jsonOf(text) ?? { kind: 'text', text }
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return { kind: 'text', text: pageText(text) }
  // Many services send data without saying so.
  const mayBeJson = !isCut && (mime === '' || mime === 'text/plain') && /^\s*[[{]/.test(text)
  return (mayBeJson ? jsonOf(text) : undefined) ?? { kind: 'text', text }
}

function textOf(bytes: Uint8Array, mime: string, charset: string | undefined): string | Body {
  const isNamedText = /^text\/|[/+](?:json|xml|javascript|x-www-form-urlencoded|graphql|yaml|csv)$/.test(mime)
  if (!isNamedText) {
    const head = Buffer.from(bytes.subarray(0, headBytes))
    const content = detectContent(head, bytes.byteLength <= headBytes)
    if (content.kind !== 'text') return { kind: 'binary', type: mime === '' ? 'of an unknown type' : mime }
  }
  return decoderFor(charset).decode(bytes)
}

function decoderFor(charset: string | undefined): TextDecoder {
  try {
    return new TextDecoder(charset ?? 'utf-8')
  } catch {
    // A name that nobody knows: UTF-8 is what it most probably is.
    return new TextDecoder('utf-8')
  }
}

function jsonOf(text: string): Body | undefined {
  try {
    return { kind: 'json', value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The words of a page with the addresses of its links; scripts, styles and pictures are left out. */
function pageText(html: string): string {
  return htmlToText(html, {
    wordwrap: false,
    limits: { maxInputLength: 4_000_000, maxDepth: 200, maxChildNodes: 20_000 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'script', format: 'skip' },
      { selector: 'style', format: 'skip' },
      { selector: 'a', options: { ignoreHref: false, noAnchorUrl: true } },
      { selector: 'table', format: 'dataTable' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  })
}

/** Of no use to a reader, or nobody's business: cookies, what asks for credentials, and how the bytes travelled. */
const hidden =
  /^(?:set-cookie|www-authenticate|proxy-.*|authorization|x-api-key|x-auth-token|date|server|via|vary|connection|keep-alive|transfer-encoding|content-encoding|alt-svc|nel|report-to|reporting-endpoints|age|cache-control|expires|pragma|accept-ranges|strict-transport-security|content-security-policy.*|permissions-policy|referrer-policy|cross-origin-.*|access-control-.*|x-(?:frame-options|xss-protection|content-type-options|permitted-cross-domain-policies|dns-prefetch-control|powered-by|cache.*|served-by|timer|envoy-.*|amz-.*)|cf-.*|server-timing|timing-allow-origin|origin-agent-cluster)$/

const mostHeaders = 30
const mostHeaderCharacters = 500

function shownHeaders(headers: NetworkAnswer['headers']): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) => !hidden.test(name))
  return Object.fromEntries(
    shown.slice(0, mostHeaders).map(([name, value]) => [name, value.slice(0, mostHeaderCharacters).toWellFormed()]),
  )
}
