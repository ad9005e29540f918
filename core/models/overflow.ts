/** A request that its model cannot hold, with both sizes in tokens where the server names them. */
export interface Overflow {
  readonly limit?: number
  readonly got?: number
}

/** What a server says of its own failure: its words, and what it calls it. */
export interface Said {
  readonly message: string
  readonly code: string
  readonly limit?: number
  readonly got?: number
}

const codes =
  /context_length_exceeded|exceed_context_size|context_window_exceeded|request_too_large|ContextWindowExceededError/i

/**
 * Each names the prompt, the input or the window of the model as that which does not fit. `context` or `token` alone will not do:
 * `context deadline exceeded`, `max_tokens is too large` and `tokens per minute` are other matters, and whoever takes one of them
 * for an overflow has the conversation shortened for nothing.
 */
const texts: readonly RegExp[] = [
  /maximum context length (?:is|of|has been)\b|model maximum context length|\d maximum context length/i,
  /exceed(?:s|ed|ing)? (?:the |this |its )?(?:model.?s |available |maximum |max |allowed )*context (?:size|length|window|limit)\b/i,
  /context (?:size|length|window) (?:has been |was |is )?exceeded|context window exceeds|context length is only/i,
  /prompt (?:is )?too long|input is too (?:long for|large: the prompt)|prompt exceeds/i,
  /(?:input|prompt) token count\b[^.]*exceeds the (?:maximum|limit)|input tokens exceed/i,
  /maximum prompt length is \d|exceeded model token limit|tokens in request more than max tokens/i,
  /reduce the length of (?:the |your |either )?(?:messages|input|prompt|one)/i,
  /initial prompt is greater than the context length|when (?:the )?context (?:the )?overflows|n_keep \(\d+\) >= n_ctx/i,
  /reached context length of \d|context shift is disabled/i,
]
/** A content filter looks at what a prompt says, not at how long it is. */
const otherMatters = /content policy|policy violation|moderation/i

const figure = String.raw`(\d[\d\s,.\u00a0\u202f]*)`
const pattern = (text: string) => new RegExp(text.replaceAll('N', figure), 'i')

/** `174167 + 64000 > 200000`, `213462 tokens > 200000 maximum`: both sizes in one. */
const compared = pattern('N(?:\\+ N)?(?:tokens )?> N')
const limits: readonly RegExp[] = [
  pattern('n_ctx\\D{0,4}N'),
  pattern('context (?:length|size|window|limit)(?! by)\\D{0,16}N'),
  pattern('N(?:tokens )?maximum context length'),
  pattern('number of tokens allowed\\D{0,2}N'),
  pattern('(?:maximum prompt length is|configured limit of|exceeds the limit of|model token limit:) N'),
]
/** What was asked for besides the prompt takes room too, where a server counts it apart. */
const prompts: readonly RegExp[] = [
  pattern('(?:prompt contains|request has|your request has|you passed|passed) (?:at least )?N(?:input )?tokens'),
]
const reserved = pattern('requested N(?:output )tokens')
const wholes: readonly RegExp[] = [
  pattern('request \\(N\\s*tokens'),
  pattern('requested tokens \\(N'),
  pattern('prompt contains N\\s*tokens'),
  pattern('request(?:ed)? (?:about |contains )?N\\s*tokens'),
  pattern('resulted in N'),
  pattern('token count (?:of )?\\(?N'),
  pattern('keep the first N'),
  pattern('n_keep\\D{0,3}N'),
  pattern('requested: N'),
  pattern('too long: N'),
]

/** Null where it says something else. */
export function overflowOf(said: Said): Overflow | null {
  const { message, code } = said
  const isOverflow = codes.test(code) || codes.test(message) || texts.some((text) => text.test(message))
  if (!isOverflow || otherMatters.test(message)) return null
  const both = compared.exec(message)
  const limit = said.limit ?? tokens(both?.[3]) ?? first(limits, message)
  const got = said.got ?? sum(tokens(both?.[1]), tokens(both?.[2])) ?? asked(message)
  return { ...(limit !== undefined && { limit }), ...(got !== undefined && { got }) }
}

function asked(message: string): number | undefined {
  return sum(first(prompts, message), first([reserved], message)) ?? first(wholes, message)
}

function first(patterns: readonly RegExp[], text: string): number | undefined {
  for (const each of patterns) {
    const found = tokens(each.exec(text)?.[1])
    if (found !== undefined) return found
  }
  return undefined
}

function tokens(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits.replace(/\D/g, ''))
}

function sum(part: number | undefined, more: number | undefined): number | undefined {
  return part === undefined ? undefined : part + (more ?? 0)
}
