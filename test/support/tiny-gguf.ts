import fs from 'node:fs'

type Value =
  | { readonly type: 4 | 6; readonly value: number }
  | { readonly type: 8; readonly value: string }
  | { readonly type: 9; readonly of: 5 | 6 | 8; readonly value: readonly (number | string)[] }

export interface TinyLlama {
  readonly contextTokens?: number
  readonly seed?: number
  /** As llama.cpp counts them; a file that says so is an embedder. */
  readonly pooling?: number
  readonly version?: number
  /**
   * What follows each token, in place of random weights: `{ a: 'b', b: '</s>' }` answers "b" to what ends with a. Keys and values
   * that are no single character become tokens of their own.
   */
  readonly follows?: Readonly<Record<string, string>>
  /** Two small letters, or one and a blank, are one token: a long prompt is read in half as many. */
  readonly hasPairs?: boolean
  /** More keys, or others in place of the usual ones. */
  readonly keys?: Readonly<Record<string, Value>>
}

const embedding = 32
const forward = 64
const heads = 4
const template =
  "{{ bos_token }}{% for m in messages %}<|{{ m['role'] }}|>\n{{ m['content'] }}\n{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}"

/** Writes a llama of one layer with random weights (141 kB): for the code around a model, not for what it says. */
export function writeTinyLlama(file: string, options: TinyLlama = {}): string {
  const keys = new Map(Object.entries({ ...usualKeys(options), ...options.keys }))
  const { tokens } = vocabulary(options)
  const tensors = tensorShapes(tokens.length)
  const head = [Buffer.from('GGUF'), u32(options.version ?? 3), u64(tensors.length), u64(keys.size)]
  for (const [key, value] of keys) head.push(text(key), u32(value.type), valueBytes(value))
  const weights = weightsOf(options)
  const data: Buffer[] = []
  let offset = 0
  for (const [name, shape] of tensors) {
    head.push(text(name), u32(shape.length), ...shape.map(u64), u32(0), u64(offset))
    const values = weights(
      name,
      shape.reduce((product, each) => product * each, 1),
    )
    const bytes = padded(Buffer.from(values.buffer))
    data.push(bytes)
    offset += bytes.length
  }
  fs.writeFileSync(file, Buffer.concat([padded(Buffer.concat(head)), ...data]))
  return file
}

/** Random ones; or, where it is said what follows what, such that each token leads to its follower and nothing else counts. */
function weightsOf(options: TinyLlama): (name: string, length: number) => Float32Array<ArrayBuffer> {
  const random = createRandom(options.seed ?? 1)
  const drawn = (length: number) => Float32Array.from({ length }, random)
  const { tokens } = vocabulary(options)
  const embeddings = drawn(tokens.length * embedding)
  const output = new Float32Array(tokens.length * embedding)
  for (const [token, follower] of Object.entries(options.follows ?? {})) {
    const [from, to] = [tokens.indexOf(tokenOf(token)), tokens.indexOf(tokenOf(follower))]
    for (let at = 0; at < embedding; at += 1) {
      output[to * embedding + at] = (output[to * embedding + at] ?? 0) + (embeddings[from * embedding + at] ?? 0)
    }
  }
  return (name, length) => {
    if (name.includes('norm')) return new Float32Array(length).fill(1)
    if (options.follows === undefined) return drawn(length)
    if (name === 'token_embd.weight') return embeddings
    return name === 'output.weight' ? output : new Float32Array(length)
  }
}

/** As the tokenizer writes it: blanks visible, other control characters as bytes. */
function tokenOf(token: string): string {
  if (token === '\n') return '<0x0A>'
  return token.replaceAll(' ', '▁')
}

function usualKeys(options: TinyLlama): Record<string, Value> {
  const { contextTokens = 4_096, pooling } = options
  const { tokens, scores, types } = vocabulary(options)
  return {
    'general.architecture': string('llama'),
    'general.name': string('tiny-random'),
    'general.file_type': count(0),
    'llama.context_length': count(contextTokens),
    'llama.embedding_length': count(embedding),
    'llama.block_count': count(1),
    'llama.feed_forward_length': count(forward),
    'llama.attention.head_count': count(heads),
    'llama.attention.head_count_kv': count(heads),
    'llama.attention.layer_norm_rms_epsilon': { type: 6, value: 1e-5 },
    'llama.rope.dimension_count': count(embedding / heads),
    'llama.rope.freq_base': { type: 6, value: 10_000 },
    'llama.vocab_size': count(tokens.length),
    ...(pooling !== undefined && { 'llama.pooling_type': count(pooling) }),
    'tokenizer.ggml.model': string('llama'),
    'tokenizer.ggml.tokens': { type: 9, of: 8, value: tokens },
    'tokenizer.ggml.scores': { type: 9, of: 6, value: scores },
    'tokenizer.ggml.token_type': { type: 9, of: 5, value: types },
    'tokenizer.ggml.bos_token_id': count(1),
    'tokenizer.ggml.eos_token_id': count(2),
    'tokenizer.ggml.unknown_token_id': count(0),
    'tokenizer.chat_template': string(template),
  }
}

const letters = [...'▁abcdefghijklmnopqrstuvwxyz']
const letterPairs = letters.flatMap((first) => letters.map((second) => first + second))

/** The bytes, and the printable ASCII characters: each character of a text is a token. */
function vocabulary({ follows = {}, hasPairs = false }: TinyLlama) {
  const bytes = Array.from({ length: 256 }, (_, at) => `<0x${at.toString(16).toUpperCase().padStart(2, '0')}>`)
  const characters = ['▁', ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at))]
  const usual = ['<unk>', '<s>', '</s>', ...bytes, ...characters]
  const named = [...Object.entries(follows).flat().map(tokenOf), ...(hasPairs ? letterPairs : [])]
  const own = [...new Set(named)].filter((token) => !usual.includes(token))
  return {
    tokens: [...usual, ...own],
    scores: [...usual, ...own].map((_, at) => (at < 259 ? 0 : -at)),
    types: [2, 3, 3, ...bytes.map(() => 6), ...characters.map(() => 1), ...own.map(() => 1)],
  }
}

function tensorShapes(vocabularySize: number): readonly (readonly [string, readonly number[]])[] {
  const square = [embedding, embedding]
  return [
    ['token_embd.weight', [embedding, vocabularySize]],
    ['blk.0.attn_norm.weight', [embedding]],
    ['blk.0.attn_q.weight', square],
    ['blk.0.attn_k.weight', square],
    ['blk.0.attn_v.weight', square],
    ['blk.0.attn_output.weight', square],
    ['blk.0.ffn_norm.weight', [embedding]],
    ['blk.0.ffn_gate.weight', [embedding, forward]],
    ['blk.0.ffn_up.weight', [embedding, forward]],
    ['blk.0.ffn_down.weight', [forward, embedding]],
    ['output_norm.weight', [embedding]],
    ['output.weight', [embedding, vocabularySize]],
  ]
}

function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
}

export const string = (value: string): Value => ({ type: 8, value })
export const count = (value: number): Value => ({ type: 4, value })

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}
function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}

function valueBytes(value: Value): Buffer {
  if (value.type === 8) return text(value.value)
  if (value.type !== 9) return value.type === 6 ? f32(value.value) : u32(value.value)
  const items = value.value.map((each) =>
    typeof each === 'string' ? text(each) : value.of === 6 ? f32(each) : i32(each),
  )
  return Buffer.concat([u32(value.of), u64(items.length), ...items])
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)])
}
