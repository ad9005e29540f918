import type { RecommendedModel } from '../../domain/local.ts'

/** A model that can be downloaded. Its bytes are pinned by checksum; the file's name is the last part of the address. */
export type Offered = Omit<RecommendedModel, 'added'>

const gb = 1_000_000_000

/** Instruct models that call actions, smallest first, and one embedder. `bytes` is about right until a server says more. */
export const recommended: readonly Offered[] = [
  {
    id: 'qwen3-0.6b',
    title: 'Qwen3 0.6B',
    purpose: 'chat',
    words: 'Very small: for a look at how it works, and for titles and summaries.',
    url: 'https://huggingface.co/MaziyarPanahi/Qwen3-0.6B-GGUF/resolve/main/Qwen3-0.6B.Q4_K_M.gguf',
    bytes: 0.4 * gb,
    sha256: 'dc4503da5d7cc7254055a86cd90e1a8c9d16c6ac71eb3a32b34bf48a1f4e0999',
    license: 'Apache-2.0',
    memoryBytes: 1.6 * gb,
  },
  {
    id: 'qwen3-1.7b',
    title: 'Qwen3 1.7B',
    purpose: 'chat',
    words: 'Small: answers simple questions about files on almost any computer.',
    url: 'https://huggingface.co/MaziyarPanahi/Qwen3-1.7B-GGUF/resolve/main/Qwen3-1.7B.Q4_K_M.gguf',
    bytes: 1.1 * gb,
    sha256: 'ea2aa5f1cce3c8df81ae5fd292a6ed265b8393cc89534dc21fc5327cc974116a',
    license: 'Apache-2.0',
    memoryBytes: 2.4 * gb,
  },
  {
    id: 'qwen3-4b',
    title: 'Qwen3 4B',
    purpose: 'chat',
    words: 'The usual choice: calls actions well, wants 8 GB of memory.',
    url: 'https://huggingface.co/MaziyarPanahi/Qwen3-4B-GGUF/resolve/main/Qwen3-4B.Q4_K_M.gguf',
    bytes: 2.5 * gb,
    sha256: 'a37931937683a723ae737a0c6fc67dab7782fd8a1b9dea2ca445b7a1dbd5ca3a',
    license: 'Apache-2.0',
    memoryBytes: 4.2 * gb,
  },
  {
    id: 'qwen3-8b',
    title: 'Qwen3 8B',
    purpose: 'chat',
    words: 'The best of these, and the slowest: wants 16 GB of memory.',
    url: 'https://huggingface.co/MaziyarPanahi/Qwen3-8B-GGUF/resolve/main/Qwen3-8B.Q4_K_M.gguf',
    bytes: 5 * gb,
    sha256: '376902d50612ecfc5bd8b268f376c04d10ad7e480f99a1483b833f04344a549e',
    license: 'Apache-2.0',
    memoryBytes: 6.8 * gb,
  },
  {
    id: 'nomic-embed-text-v1.5',
    title: 'Nomic Embed Text 1.5',
    purpose: 'embedding',
    words: 'Finds notes by what they mean, in English.',
    url: 'https://huggingface.co/nomic-ai/nomic-embed-text-v1.5-GGUF/resolve/0188c9bf409793f810680a5a431e7b899c46104c/nomic-embed-text-v1.5.Q8_0.gguf',
    bytes: 146_146_432,
    sha256: '3e24342164b3d94991ba9692fdc0dd08e3fd7362e0aacc396a9a5c54a544c3b7',
    license: 'Apache-2.0',
    memoryBytes: 0.4 * gb,
  },
]
