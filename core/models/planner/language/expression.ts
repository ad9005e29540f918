import { numberWord } from './numbers.ts'

const num = '\\(?-?\\d+(?:\\.\\d+)?\\)?'
const expr = '(.+?)'
const list = '([\\d.,\\s-]+(?:and|&|,)\\s*-?[\\d.]+)'

type Form = readonly [RegExp, (...parts: string[]) => string | undefined]

const commaList = (text: string): string =>
  text
    .split(/\s*(?:,|\band\b|&)\s*/)
    .filter((part) => part !== '')
    .join(', ')
const wrap = (text: string): string => (/^[\d.]+$/.test(text) ? text : `(${text})`)

/** Ways to say a calculation; what stands for a number may itself be said in words. */
const forms: readonly Form[] = [
  [
    new RegExp(`^(${num}) ?(?:%|percent|per cent) (?:of|from) ${expr}$`),
    (p = '', x = '') => both(x, (v) => `${p} / 100 * ${v}`),
  ],
  [
    new RegExp(`^(?:what )?(?:percent|percentage|per cent|%|share|proportion) (?:of )?(${num}) is (${num})$`),
    (whole, part) => `${part} / ${whole} * 100`,
  ],
  [
    new RegExp(`^(?:what )?(?:percent|percentage|per cent|%) is (${num}) (?:of|from|out of) (${num})$`),
    (part, whole) => `${part} / ${whole} * 100`,
  ],
  [
    new RegExp(`^(${num}) is what (?:percent|percentage|per cent|%) of (${num})$`),
    (part, whole) => `${part} / ${whole} * 100`,
  ],
  [
    new RegExp(`^(${num}) (?:as a|in|as) (?:percent|percentage|per cent|%) of (${num})$`),
    (part, whole) => `${part} / ${whole} * 100`,
  ],
  [
    new RegExp(`^(${num}) out of (${num}) (?:as a|in|as) (?:percent|percentage|per cent|%)$`),
    (part, whole) => `${part} / ${whole} * 100`,
  ],
  [
    new RegExp(`^(?:increase|raise) (${num}) by (${num}) ?(?:%|percent|per cent)$`),
    (x, p) => `${x} * (1 + ${p} / 100)`,
  ],
  [
    new RegExp(`^(${num}) (?:increased by|raised by|plus|\\+) ?(${num}) ?(?:%|percent|per cent)$`),
    (x, p) => `${x} * (1 + ${p} / 100)`,
  ],
  [
    new RegExp(`^(?:decrease|reduce|lower|discount) (${num}) by (${num}) ?(?:%|percent|per cent)$`),
    (x, p) => `${x} * (1 - ${p} / 100)`,
  ],
  [
    new RegExp(`^(${num}) (?:decreased by|reduced by|lowered by|minus|less|-) ?(${num}) ?(?:%|percent|per cent)$`),
    (x, p) => `${x} * (1 - ${p} / 100)`,
  ],
  [
    new RegExp(`^(${num}) ?(?:%|percent|per cent) (?:more|higher|greater) than (${num})$`),
    (p, x) => `${x} * (1 + ${p} / 100)`,
  ],
  [
    new RegExp(`^(?:add|put) (${num}) ?(?:%|percent|per cent) (?:to|onto|on) (${num})$`),
    (p, x) => `${x} * (1 + ${p} / 100)`,
  ],
  [
    new RegExp(
      `^(?:take |subtract |deduct )?(${num}) ?(?:%|percent|per cent) (?:off|off of|discount on|less than) (${num})$`,
    ),
    (p, x) => `${x} * (1 - ${p} / 100)`,
  ],
  [
    new RegExp(`^(?:sum|total|the sum|add|add up|adding|sum up) (?:of )?${list}$`),
    (l = '') => commaList(l).replaceAll(', ', ' + '),
  ],
  [new RegExp(`^(?:product|multiply) (?:of )?${list}$`), (l = '') => commaList(l).replaceAll(', ', ' * ')],
  [new RegExp(`^(?:average|mean|avg) (?:of )?${list}$`), (l = '') => `mean(${commaList(l)})`],
  [new RegExp(`^median (?:of )?${list}$`), (l = '') => `median(${commaList(l)})`],
  [
    new RegExp(`^(?:max|maximum|largest|biggest|highest|greatest) (?:of )?${list}$`),
    (l = '') => `max(${commaList(l)})`,
  ],
  [new RegExp(`^(?:min|minimum|smallest|lowest) (?:of )?${list}$`), (l = '') => `min(${commaList(l)})`],
  [new RegExp(`^difference (?:between|of) (${num}) and (${num})$`), (a, b) => `${a} - ${b}`],
  [new RegExp(`^(?:subtract|deduct|take) (${num}) from (${num})$`), (a, b) => `${b} - ${a}`],
  [new RegExp(`^add (${num}) (?:to|and) (${num})$`), (a, b) => `${a} + ${b}`],
  [new RegExp(`^divide (${num}) (?:by|into) (${num})$`), (a, b) => `${a} / ${b}`],
  [new RegExp(`^multiply (${num}) (?:by|with|and|times) (${num})$`), (a, b) => `${a} * ${b}`],
  [new RegExp(`^(?:square root|root|sqrt) (?:of )?${expr}$`), (x = '') => both(x, (v) => `sqrt(${v})`)],
  [new RegExp(`^(${num}) squared$`), (x) => `${x} ^ 2`],
  [new RegExp(`^(${num}) cubed$`), (x) => `${x} ^ 3`],
  [new RegExp(`^(?:square of) (${num})$`), (x) => `${x} ^ 2`],
  [new RegExp(`^(${num}) factorial$|^factorial of (${num})$`), (x, y) => `${x ?? y}!`],
  [new RegExp(`^half (?:of )?${expr}$`), (x = '') => both(x, (v) => `${v} / 2`)],
  [new RegExp(`^(?:a |one )?third of ${expr}$`), (x = '') => both(x, (v) => `${v} / 3`)],
  [new RegExp(`^(?:a |one )?quarter of ${expr}$`), (x = '') => both(x, (v) => `${v} / 4`)],
  [new RegExp(`^(?:double|twice) ${expr}$`), (x = '') => both(x, (v) => `${v} * 2`)],
  [
    new RegExp(`^round ${expr} to (\\d+) (?:decimal places?|decimals?|places?|digits?)$`),
    (x = '', n = '') => both(x, (v) => `round(${v}, ${n})`),
  ],
  [
    new RegExp(`^${expr} rounded to (\\d+) (?:decimal places?|decimals?|places?|digits?)$`),
    (x = '', n = '') => both(x, (v) => `round(${v}, ${n})`),
  ],
]

function both(text: string, build: (value: string) => string): string | undefined {
  const inner = spokenValue(text.trim())
  return inner === undefined ? undefined : build(wrap(inner))
}

const infix: readonly (readonly [RegExp, string])[] = [
  [/\bto the power of\b|\braised to\b/g, '^'],
  [/\bsquared\b/g, '^ 2'],
  [/\bcubed\b/g, '^ 3'],
  [/\b(?:multiplied by|times)\b|(?<=\d )x(?= \d)|(?<=\d)x(?=\d)|×/g, '*'],
  [/\b(?:divided by|over)\b|÷/g, '/'],
  [/\bplus\b/g, '+'],
  [/\b(?:minus|less)\b/g, '-'],
  [/\bmodulo\b|\bmod\b/g, 'mod'],
  [/\bsquare root of (\d+(?:\.\d+)?)/g, 'sqrt($1)'],
  [/\*\*/g, '^'],
]

function spokenValue(text: string): string | undefined {
  for (const [form, build] of forms) {
    const match = form.exec(text)
    const built = match ? build(...match.slice(1)) : undefined
    if (built !== undefined) return built
  }
  const written = infix.reduce((t, [word, signs]) => t.replace(word, signs), text)
  return isArithmetic(written) ? written.replace(/\s+/g, ' ').trim() : undefined
}

function isArithmetic(text: string): boolean {
  const rest = text.replace(
    /\b(?:sqrt|abs|round|floor|ceil|min|max|mean|median|sum|log|log10|exp|sin|cos|tan|mod|pi|e)\b/g,
    ' ',
  )
  return /\d/.test(rest) && /^[\d\s.+\-*/^%(),!]+$/.test(rest)
}

const lead =
  /^(?:(?:please|pls|hey|hi|hello|ok|okay|now|and|so|just|can you|could you|would you|will you|can|you|i want to know|i would like to know|i need to know|i need|tell me|give me|let me know|do you know|show me|help me|quickly|to)[\s,]+)*(?:(?:what is|what are|what do|what does|what would be|what would|how much is|how much are|how much|calculate|compute|work out|evaluate|solve|find|figure out|calc|do|get|is|the result of|the value of|result of|value of|the answer to)\s+)*(?:the )?/

/** The arithmetic that a request asks for, as `calculate` reads it; undefined when it asks for anything else. */
export function expressionIn(request: string): string | undefined {
  const plain = request
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/[€$£]\s?(?=\d)|(?<=\d)\s?(?:€|\$|£|eur|euros?|usd|dollars?|gbp|pounds?|chf|bucks)\b/g, '')
    .replace(/[?.!]+\s*$/, '')
    .replace(/\s*(?:=|equals|equal to|make|come to|be)\s*$/, '')
    .replace(/,?\s*(?:please|thanks|thank you|for me|exactly)\s*$/, '')
    .replace(/\b[a-z]+\b/g, (word) => numberWord(word) ?? word)
    .trim()
  const asked = plain.replace(lead, '').trim()
  const value = spokenValue(asked)
  const isMoreThanANumber =
    value !== undefined && /[-+*/^%!a-z]/.test(value.replace(/^-/, '')) && !/^\d{4}-\d\d(-\d\d)?$/.test(value)
  return isMoreThanANumber ? value : undefined
}
