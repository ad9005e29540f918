import type { ErrorBody } from './error.ts'

/** A GGUF file that the app runs by itself. Used as `local/<name>`. */
export interface LocalModel {
  readonly name: string
  readonly title: string
  readonly file: string
  readonly bytes: number
  readonly purpose: 'chat' | 'embedding'
  readonly architecture: string
  /** The window that it was trained for; null where the file does not say. */
  readonly trainedTokens: number | null
  /** Set by a person; null: as much as fits. */
  readonly contextTokens: number | null
  readonly threads: number | null
  readonly callsActions: boolean
  /** Why it cannot be used now: the file is gone, say. */
  readonly problem: ErrorBody | null
}

/** A model that can be downloaded: its checksum is known. */
export interface RecommendedModel {
  readonly id: string
  readonly title: string
  readonly purpose: 'chat' | 'embedding'
  /** One line for people. */
  readonly words: string
  readonly url: string
  readonly bytes: number
  readonly sha256: string
  readonly license: string
  /** About; what it takes while it is loaded. */
  readonly memoryBytes: number
  /** The name of the LocalModel, once it is there. */
  readonly added: string | null
}

export interface LocalDownload {
  readonly id: string
  readonly title: string
  readonly receivedBytes: number
  readonly totalBytes: number
  readonly bytesPerSecond: number
  readonly state: 'running' | 'paused' | 'checking' | 'failed'
  readonly error: ErrorBody | null
}

export interface LoadedModel {
  readonly name: string
  readonly contextTokens: number
  readonly threads: number
  readonly gpu: string | null
  readonly gpuLayers: number
  readonly memoryBytes: number
  /** Null while it works. */
  readonly idleSince: number | null
}

/** Everything about models in the app, cheap enough to be asked twice a second. */
export interface LocalStatus {
  readonly library:
    | { readonly ok: true; readonly version: string; readonly gpu: string | null }
    | { readonly ok: false; readonly error: ErrorBody }
  /** What makes models compute on the graphics processor. While it is fetched, its parts stand in `downloads` as `gpu:…`. */
  readonly gpuBuild: {
    /** Null where there is none for this computer. */
    readonly kind: 'vulkan' | 'cuda' | 'metal' | null
    readonly state: 'none' | 'installed' | 'available'
    /** Of the download; 0 where there is nothing to install or to remove. */
    readonly bytes: number
    /** It is installed, but models are computed by the processor: why, as seen when one was loaded last. */
    readonly problem: ErrorBody | null
  }
  readonly models: readonly LocalModel[]
  readonly recommended: readonly RecommendedModel[]
  readonly downloads: readonly LocalDownload[]
  readonly loaded: readonly LoadedModel[]
  readonly folder: string
  readonly freeBytes: number
}
