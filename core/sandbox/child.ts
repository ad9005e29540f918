/**
 * Entry of a sandbox child: one VM at a time, driven by messages, under Node's fork or Electron's utilityProcess.
 * It holds nothing worth stealing and may die at any moment.
 */
import { errorBody } from '../domain/error.ts'
import { compile, MontyVm } from './inline-vm.ts'
import { type Answer, isRequest, type Request } from './protocol.ts'

const monotonicMs = () => performance.now()
const send = connect(receive)
let vm: MontyVm | null = null

send({ kind: 'ready' })

function receive(message: unknown): void {
  // Only our own parent can write here: anything else means that the two are of different builds.
  if (!isRequest(message)) process.exit(2)
  if (message.op === 'drop') {
    vm = null
    return
  }
  try {
    send(answerTo(message))
  } catch (error) {
    send({ kind: 'refused', error: errorBody(error, 'sandbox.died') })
  }
}

function answerTo(request: Exclude<Request, { op: 'drop' }>): Answer {
  const usedBefore = request.op === 'start' || request.op === 'load' ? 0 : (vm?.usedMs ?? 0)
  const running = moved(request)
  vm = running.state.kind === 'call' ? running : null
  const bytes = running.state.kind === 'call' ? running.dump() : null
  return {
    kind: 'rest',
    state: running.state,
    usedMs: running.usedMs - usedBefore,
    printed: running.printed.take(),
    bytes,
  }
}

function moved(request: Exclude<Request, { op: 'drop' }>): MontyVm {
  if (request.op === 'start') {
    const program = compile(request.program, Object.keys(request.inputs))
    return MontyVm.start(program, request.inputs, { limits: request.limits, monotonicMs })
  }
  if (request.op === 'load') return MontyVm.load(request.bytes, { durationMs: request.remainingMs, monotonicMs })
  if (!vm) throw new Error(`${request.op} without a VM`)
  if (request.op === 'raise') vm.raiseNow(request.type, request.message)
  else vm.resumeNow(request.value)
  return vm
}

/** Electron gives a port, Node a channel; with either, no parent means no reason to live. */
function connect(listener: (message: unknown) => void): (answer: Answer) => void {
  const port: unknown = Reflect.get(process, 'parentPort')
  if (isParentPort(port)) {
    port.on('message', (event) => listener(event.data))
    port.on('close', () => process.exit())
    return (answer) => port.postMessage(answer)
  }
  process.on('message', listener)
  process.on('disconnect', () => process.exit())
  return (answer) => process.send?.(answer)
}

interface ParentPort {
  on(event: 'message' | 'close', listener: (event: { readonly data: unknown }) => void): void
  postMessage(message: unknown): void
}

function isParentPort(port: unknown): port is ParentPort {
  return typeof port === 'object' && port !== null && 'postMessage' in port && 'on' in port
}
