/** Lines, words (runs of what is not white space) and characters (code points) of a text that arrives in pieces. */
export interface TextFacts {
  readonly lines: number
  readonly words: number
  readonly characters: number
}

export function createTextCounter() {
  let lines = 0
  let words = 0
  let characters = 0
  let last = -1
  let isInWord = false
  return {
    add(text: string) {
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at)
        last = unit
        if (unit === 10) lines += 1
        const isSpace = unit <= 32 ? isAsciiSpace(unit) : unit >= 0x85 && isWideSpace(unit)
        if (!isSpace && !isInWord) words += 1
        isInWord = !isSpace
        // The second half of a pair belongs to the character before it.
        if (unit < 0xdc00 || unit > 0xdfff) characters += 1
      }
    },
    facts(): TextFacts {
      return { lines: lines + (last >= 0 && last !== 10 ? 1 : 0), words, characters }
    },
  }
}

function isAsciiSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13)
}

// What \s matches outside ASCII.
function isWideSpace(unit: number): boolean {
  return (
    unit === 0xa0 ||
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  )
}
