import fs from 'node:fs'
import { AppError, errorBody } from '../domain/error.ts'
import { type ModelRef, modelRefText, type ProbeResult, runsHere } from '../domain/model.ts'
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

/**
 * `model probe [NAME]`: one small real request to each model of that name; without one to those of the tiers and of this computer,
 * because elsewhere each request may cost money. Exit 1 when one of them fails, or a server cannot be asked for its models.
 */
export async function probeModels(access: Access, terminal: Terminal, name: string | undefined): Promise<number> {
  const { models, failed } = await modelsToProbe(access, terminal, name)
  let failures = failed
  if (models.size === 0) {
    terminal.note(name === undefined ? 'no models' : `no model named ${name}`)
    return 1
  }
  for (const ref of models.values()) {
    const result = await probed(access, ref)
    terminal.json(result)
    if (result.error !== undefined) failures += 1
    terminal.line(
      terminal.status(result.error === undefined ? '✓' : '✕', result.error === undefined),
      probeLine(result),
    )
  }
  return failures > 0 ? 1 : 0
}

async function modelsToProbe(access: Access, terminal: Terminal, name: string | undefined) {
  const isNamed = (ref: ModelRef) => ref.model === name || modelRefText(ref) === name
  const models = new Map<string, ModelRef>()
  const elsewhere = new Set<string>()
  let failed = 0
  for (const provider of await access.call('model.list', {})) {
    const { id, title, error, models: offered } = provider
    if (error !== undefined && name === undefined) {
      failed += 1
      terminal.json({ ...unknownModel, name: '', provider: id, error })
      terminal.line(terminal.status('✕', false), ` ${title}  ${error.userMessage}`)
    }
    for (const model of offered) {
      if (name === undefined ? runsHere(provider) : isNamed(model)) models.set(modelRefText(model), model)
      else elsewhere.add(modelRefText(model))
    }
  }
  // A tier may name a model that its server does not list, or not now.
  for (const ref of Object.values((await access.call('settings.get', {})).tiers)) {
    if (name === undefined || isNamed(ref)) models.set(modelRefText(ref), ref)
  }
  const left = [...elsewhere].filter((ref) => !models.has(ref)).length
  if (name === undefined && left > 0) terminal.note(notAsked(left))
  return { models, failed }
}

function notAsked(count: number): string {
  const which = count === 1 ? '1 model of servers elsewhere was' : `${count} models of servers elsewhere were`
  return `${which} not asked, because a request there may cost money: \`threadsmith model probe NAME\` asks one`
}

/** A tier may name a server that is not there any more: its line says so, and the others are asked all the same. */
async function probed(access: Access, { providerId, model }: ModelRef): Promise<ProbeResult> {
  try {
    return await access.call('model.probe', { providerId, model })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'model.none') throw error
    return { ...unknownModel, name: model, provider: providerId, error: errorBody(error) }
  }
}

function probeLine({ name, error, firstTokenMs, tools, parallel, contextTokens }: ProbeResult): string {
  if (error !== undefined) return ` ${name}  ${error.userMessage}`
  const first = firstTokenMs === null ? [] : [`first token ${Math.round(firstTokenMs)} ms`]
  const atOnce = parallel === true ? ', several at once' : ', one at a time'
  const actions = tools === null ? 'actions not shown' : tools ? `actions yes${atOnce}` : 'actions no'
  const window = contextTokens === null ? [] : [`window ${contextTokens.toLocaleString('en')}`]
  return ` ${name}  ${[...first, actions, ...window].join(', ')}`
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
