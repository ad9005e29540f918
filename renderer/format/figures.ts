/** 96 ms, 3.4 s, 15:52, 1:02:03: short exact times for rows. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  return clockText(ms)
}

/** 0:42, 15:52, 1:02:03: a time that ticks. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** 214, 1.2k, 118k, 1.3M. */
export function tokensText(tokens: number): string {
  if (tokens < 1_000) return String(tokens)
  if (tokens < 9_950) return `${(tokens / 1_000).toFixed(1)}k`
  if (tokens < 999_500) return `${Math.round(tokens / 1_000)}k`
  return `${(tokens / 1_000_000).toFixed(1)}M`
}

/** A model's window: 32k for 32,768, as models are named, and for 32,000, as people write it. */
export function windowText(tokens: number): string {
  if (tokens % 1_024 === 0) return `${tokens / 1_024}k`
  return tokens >= 1_000 && tokens < 1_000_000 && tokens % 1_000 === 0 ? `${tokens / 1_000}k` : tokensText(tokens)
}

export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 999_500) return `${(bytes / 1_000).toFixed(bytes < 9_950 ? 1 : 0)} kB`
  if (bytes < 999_500_000) return `${(bytes / 1_000_000).toFixed(bytes < 9_950_000 ? 1 : 0)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

/** "1 step", "3 steps". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** A path cut in its middle, so that drive and file both stay: `/home/ada/…/docs`. */
export function middleCut(text: string, max: number): string {
  if (text.length <= max) return text
  const tail = Math.ceil((max - 1) * 0.6)
  return `${text.slice(0, max - 1 - tail)}…${text.slice(text.length - tail)}`
}

/** The last two parts of a folder: what a chip has room for. */
export function folderTail(folder: string): string {
  const parts = folder.split(/[\\/]/).filter((part) => part !== '')
  return parts.slice(-2).join('/') || folder
}

/** $0.083, $1.20: three places below a dollar. */
export function usdText(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 3 : 2)}`
}
