// A fake world in a process of its own: `node world.ts <ledger file>`. It outlives every engine that is killed, and what it
// did is one whole line in the ledger, written at once. Says its port over IPC; ends with its parent.
import fs from 'node:fs'
import net from 'node:net'
import readline from 'node:readline'

const ledger = fs.openSync(process.argv[2] ?? '', 'a')
/** What was put, by key: a `put` of the same key is one effect, however often it is asked for. */
const values = new Map<string, string>()
let requests = 0

/** The world takes its time, before an effect and after it: a kill finds the engine on either side. */
function pause(): Promise<void> {
  requests += 1
  return new Promise((resolve) => setTimeout(resolve, requests % 3))
}

async function answerTo(line: string): Promise<string> {
  const [verb = '', key = '', value = ''] = line.split(' ')
  await pause()
  const answer = act(verb, key, value)
  await pause()
  return answer
}

function act(verb: string, key: string, value: string): string {
  const known = values.get(key)
  switch (verb) {
    case 'touch':
      fs.writeSync(ledger, `touch ${key}\n`)
      return 'touched'
    case 'put':
      if (known !== undefined) return known === value ? 'there' : 'another'
      values.set(key, value)
      fs.writeSync(ledger, `put ${key}\n`)
      return 'put'
    case 'get':
      return known ?? 'nothing'
    default:
      return 'unknown'
  }
}

const server = net.createServer((socket) => {
  // An engine that is killed leaves its connection torn.
  const lines = readline.createInterface({ input: socket }).on('error', () => socket.destroy())
  lines.on('line', async (line) => {
    const at = line.indexOf(' ')
    const answer = await answerTo(line.slice(at + 1))
    if (socket.writable) socket.write(`${line.slice(0, at)} ${answer}\n`)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
})
process.on('disconnect', () => process.exit(0))
