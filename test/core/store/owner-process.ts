// `node owner-process.ts <dataDir>`: owns a store until it is killed.
import { takeOwnerLock } from '../../../core/store/store.ts'

const [dataDir = ''] = process.argv.slice(2)
const lock = takeOwnerLock(dataDir)
lock.describe({ pid: process.pid, command: 'owner-process', socket: null })
process.send?.('owns')
process.on('disconnect', () => process.exit(0))
