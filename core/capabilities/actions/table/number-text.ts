import type { Cell } from './cell.ts'

/** How a number was written: everything but `plain` is said in the notes. */
export type NumberForm = 'plain' | 'code' | 'grouped' | 'decorated' | 'ambiguous'

export interface NumberText {
  readonly value: number
  /** The same number in plain digits, exactly as written. */
  readonly digits: string
  readonly form: NumberForm
}

const plain = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
// Named one by one: three capitals before digits are more often an article number than money.
const codes = 'USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR'
// Most cells are words: they should cost one look at their first characters.
const startsAsNumber = new RegExp(`^(?:[\\s(+\\-−.\\d$€£¥₹]|${codes})`)
const currency = new RegExp(`^(?:[$€£¥₹]|${codes})\\s*|\\s*(?:[$€£¥₹%]|${codes})$`, 'gu')

/**
 * Reads numbers as people write them: 1,234.50, $12, 12 %, € 3,50, 1 234, (12.00). undefined for everything else.
 * A leading zero (007) marks a code: it counts as a number in sums but is shown as it stands. `1,234` is read as 1234 and
 * called ambiguous, since it could be 1.234.
 */
export function readNumber(cell: Cell): NumberText | undefined {
  if (typeof cell === 'number') return { value: cell, digits: String(cell), form: 'plain' }
  if (typeof cell !== 'string' || cell.length > 64 || !startsAsNumber.test(cell)) return undefined
  const text = cell.trim()
  if (plain.test(text)) return finite(text, /^[+-]?0\d/.test(text) ? 'code' : 'plain')
  const bracketed = /^\((.+)\)$/.exec(text)?.[1]
  const bare = (bracketed ?? text).replace('−', '-').replace(/^([+-])\s*/, '$1')
  const [, outer = '', amount = ''] = /^([+-]?)(.*)$/su.exec(bare) ?? []
  const [, inner = '', unsigned = ''] = /^([+-]?)(.*)$/su.exec(amount.replace(currency, '').trim()) ?? []
  if (outer !== '' && inner !== '') return undefined
  const sign = bracketed !== undefined || outer === '-' || inner === '-' ? '-' : ''
  if (plain.test(unsigned)) return finite(sign + unsigned, 'decorated')
  const grouped = readSeparators(unsigned)
  return grouped && finite(sign + grouped.digits, grouped.form)
}

function finite(digits: string, form: NumberForm): NumberText | undefined {
  const value = Number(digits)
  return Number.isFinite(value) ? { value, digits, form } : undefined
}

/** Thousands separators and decimal commas. The separator that comes last, and only once, is the decimal one. */
function readSeparators(text: string): { digits: string; form: NumberForm } | undefined {
  const packed = text.replace(/(?<=\d)[\s\u00a0\u202f'’](?=\d{3}(?!\d))/gu, '')
  if (/^\d+(\.\d+)?$/.test(packed)) return { digits: packed, form: 'grouped' }
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(packed) || /^\d{1,3}(,\d{3}){2,}$/.test(packed)) {
    return { digits: packed.replaceAll(',', ''), form: 'grouped' }
  }
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(packed) || /^\d{1,3}(\.\d{3}){2,}$/.test(packed)) {
    return { digits: packed.replaceAll('.', '').replace(',', '.'), form: 'grouped' }
  }
  if (/^[1-9]\d{0,2},\d{3}$/.test(packed)) return { digits: packed.replace(',', ''), form: 'ambiguous' }
  if (/^\d+,\d+$/.test(packed)) return { digits: packed.replace(',', '.'), form: 'grouped' }
  return undefined
}
