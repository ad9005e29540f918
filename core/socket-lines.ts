import type net from 'node:net'
import readline from 'node:readline'

const longestLineBytes = 8 * 1_048_576

/** Each line that comes over a connection. What its reader throws ends this connection and nothing else. */
export function readLines(socket: net.Socket, onLine: (line: string) => void): void {
  let pendingBytes = 0
  socket.on('data', (chunk) => {
    const lastBreak = chunk.lastIndexOf(10)
    pendingBytes = lastBreak < 0 ? pendingBytes + chunk.length : chunk.length - lastBreak
    if (pendingBytes > longestLineBytes) socket.destroy(new Error(`a line of over ${longestLineBytes} bytes`))
  })
  const lines = readline.createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })
  // readline repeats the error of its input, and one that nobody hears ends the process: the socket's own listener has it.
  lines.on('error', () => undefined)
  lines.on('line', (line) => {
    if (socket.destroyed) return
    try {
      onLine(line)
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error('a line could not be read', { cause: error }))
    }
  })
}

/** Undefined, which no schema takes, where the line is not JSON. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
