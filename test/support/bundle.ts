import { builtinModules } from 'node:module'
import path from 'node:path'
import { build, type Plugin } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')
const external = ['better-sqlite3', '@pydantic/monty', 'node-llama-cpp', 'web-tree-sitter', ...builtinModules, /^node:/]

export interface Bundling {
  readonly folder: string
  /** The name of each output, without `.js`, and its source below the checkout. */
  readonly input: Readonly<Record<string, string>>
  readonly plugins?: readonly Plugin[]
}

/** Bundles sources of this checkout as the app is: a process that starts often would load 350 of them each time. */
export async function bundle({ folder, input, plugins = [] }: Bundling): Promise<void> {
  await build({
    configFile: false,
    root,
    // What there is to say of a bundle, `npm run build` says.
    logLevel: 'error',
    plugins: [...plugins],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, path.join(root, file)])),
        external,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })
}
