import { limits } from '../domain/limits.ts'

/** What a program printed, up to `limits.vmOutputBytes`, then one mark; the rest is dropped. */
export class Printed {
  #text = ''
  #fragments: string[] = []
  #taken = 0
  #roomBytes: number = limits.vmOutputBytes

  /** Called once per fragment, often a single character: keep it cheap. */
  readonly add = (_stream: string, fragment: string): void => {
    if (this.#roomBytes < 0) return
    const bytes = Buffer.byteLength(fragment)
    if (bytes <= this.#roomBytes) {
      this.#roomBytes -= bytes
      this.#fragments.push(fragment)
      return
    }
    const kept = Buffer.from(fragment).subarray(0, this.#roomBytes)
    // `stream: true` leaves out a character that the cut went through.
    this.#fragments.push(new TextDecoder().decode(kept, { stream: true }), cutMark)
    this.#roomBytes = -1
  }

  get text(): string {
    if (this.#fragments.length > 0) {
      this.#text += this.#fragments.join('')
      this.#fragments = []
    }
    return this.#text
  }

  /** What was printed since the last take. */
  take(): string {
    const fresh = this.text.slice(this.#taken)
    this.#taken = this.#text.length
    return fresh
  }
}

const cutMark = `\n[output cut after ${limits.vmOutputBytes} bytes]\n`
