import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { isIPv4 } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Resolve } from '../../core/capabilities/capabilities.ts'

export interface NameServer {
  /** Asks it, over UDP, for all addresses of a name. */
  readonly resolve: Resolve
  /** Questions that it was asked. */
  readonly asked: number
}

/** A name server on loopback (RFC 1035, one question a packet). `answer` may say something else each time; TTL is 0. */
export async function nameServer(answer: (name: string) => readonly string[]): Promise<NameServer> {
  let asked = 0
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    asked += 1
    const { name, type, end } = readQuestion(question)
    const wanted = answer(name).filter((address) => (isIPv4(address) ? type === 1 : type === 28))
    socket.send(reply(question.subarray(0, end), wanted), from.port, from.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    async resolve(host) {
      const none = () => []
      const found = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)])
      return found.flat()
    },
    get asked() {
      return asked
    },
  }
}

function readQuestion(packet: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = packet[at] ?? 0; length > 0; length = packet[at] ?? 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), type: packet.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(question)
  // Response, recursion available, no error.
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(addresses.length, 6)
  header.writeUInt32BE(0, 8)
  const records = addresses.map((address) => {
    const bytes = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0)
    record.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(0, 6)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([header, ...records])
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const [front, back] = [groups(head), groups(tail)]
  const all = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}
