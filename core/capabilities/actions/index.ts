import type { Action } from '../action.ts'
import { calculate } from './calculate.ts'
import { deleteFile } from './delete.ts'
import { echo } from './echo.ts'
import { emitCanvas } from './emit-canvas.ts'
import { fileFacts } from './file-facts.ts'
import { json } from './json.ts'
import { listFiles } from './list-files.ts'
import { memoryRead } from './memory-read.ts'
import { memorySearch } from './memory-search.ts'
import { memoryWrite } from './memory-write.ts'
import { message } from './message.ts'
import { move } from './move.ts'
import { patchFile } from './patch-file.ts'
import { readFile } from './read-file.ts'
import { searchFiles } from './search-files.ts'
import { shell } from './shell.ts'
import { table } from './table.ts'
import { time } from './time.ts'
import { writeFile } from './write-file.ts'

/** Every action that ships with the engine. */
export const actions: readonly Action[] = [
  listFiles,
  readFile,
  searchFiles,
  fileFacts,
  writeFile,
  patchFile,
  move,
  deleteFile,
  table,
  time,
  calculate,
  json,
  echo,
  memoryWrite,
  memoryRead,
  memorySearch,
  message,
  emitCanvas,
  shell,
]
