import fs from 'node:fs'
import { AppError, errorBody } from '../domain/error.ts'
import { type ModelInfo, modelRefText } from '../domain/model.ts'
import { tiers } from '../domain/thread.ts'
import { replayStream } from '../models/models.ts'
import type { Access } from './access.ts'
import type { Terminal } from './terminal.ts'

/** `model list`: every model of every configured server; what only a request shows is null. */
export async function listModels(access: Access, terminal: Terminal): Promise<number> {
  const settings = await access.call('settings.get', {})
  for (const provider of await access.call('model.list', {})) {
    if (provider.error !== undefined) {
      terminal.json({ ...unknownModel, name: '', provider: provider.id, error: provider.error })
      terminal.line(
        `${provider.title}  `,
        terminal.status(provider.error.code, false),
        `  ${provider.error.userMessage}`,
      )
    }
    for (const model of provider.models) {
      const tier = tiers.find((each) => modelRefText(settings.tiers[each]) === modelRefText(model))
      const { contextTokens } = model
      terminal.json({
        ...unknownModel,
        name: model.model,
        provider: provider.id,
        ...(tier && { tier }),
        contextTokens,
      })
      terminal.line(`${model.model}  `, terminal.dim(provider.title), tier === undefined ? '' : `  ${tier}`)
    }
  }
  return 0
}

const unknownModel = { tools: null, parallel: null, contextTokens: null, firstTokenMs: null }

/** `model probe [NAME]`: one small real request each. Exit 1 when one of them fails. */
export async function probeModels(access: Access, terminal: Terminal, name: string | undefined): Promise<number> {
  const models: ModelInfo[] = []
  for (const provider of await access.call('model.list', {})) {
    models.push(
      ...provider.models.filter((each) => name === undefined || each.model === name || modelRefText(each) === name),
    )
  }
  if (models.length === 0) terminal.note(name === undefined ? 'no models' : `no model named ${name}`)
  let failures = models.length === 0 ? 1 : 0
  for (const { providerId, model } of models) {
    const result = await access.call('model.probe', { providerId, model })
    terminal.json(result)
    const { error, firstTokenMs, tools } = result
    if (error !== undefined) failures += 1
    const words =
      error === undefined ? `first token ${firstTokenMs ?? '–'} ms, actions ${tools ? 'yes' : 'no'}` : error.userMessage
    terminal.line(terminal.status(error === undefined ? '✓' : '✕', error === undefined), ` ${result.name}  ${words}`)
  }
  return failures > 0 ? 1 : 0
}

export interface ReplayInput {
  readonly files: readonly string[]
  readonly chunkBytes: number | undefined
  readonly cutAt: number | undefined
}

/** `model replay <stream.json…>`: recorded bytes through a loopback server into the same transport. */
export async function replayFiles(terminal: Terminal, { files, chunkBytes, cutAt }: ReplayInput): Promise<number> {
  let failures = 0
  for (const file of files) {
    try {
      const result = await replayStream(fs.readFileSync(file, 'utf8'), {
        ...(chunkBytes !== undefined && { chunkBytes }),
        ...(cutAt !== undefined && { cutAt }),
      })
      terminal.json({ file, ...result })
      terminal.line(`${file}  ${'error' in result ? result.error.code : JSON.stringify(result)}`)
    } catch (error) {
      failures += 1
      const { code, retryable, message } = errorBody(notReadable(error))
      terminal.json({ file, error: { code, retryable, message, partialText: '' }, toolCallsRun: 0 })
      terminal.line(`${file}  ${message}`)
    }
  }
  return failures > 0 ? 1 : 0
}

function notReadable(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const message = cause instanceof Error ? cause.message : 'the file cannot be read'
  return new AppError('api.input', { message, userMessage: `${message}. Nothing was sent.`, cause })
}
