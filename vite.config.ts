import { type ChildProcess, spawn } from 'node:child_process'
import { builtinModules } from 'node:module'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { createBuilder, defineConfig, type Plugin } from 'vite'

const at = (below: string) => path.join(import.meta.dirname, below)

// Bundled into dist/main: all but Electron itself and what has a native addon; those ship as node_modules.
const external = [
  'electron',
  'better-sqlite3',
  '@pydantic/monty',
  'node-llama-cpp',
  'web-tree-sitter',
  ...builtinModules,
  ...builtinModules.map((name) => `node:${name}`),
]
const built = ['main', 'preload'] as const

// What the dev server's pages may do. The built app's stricter policy is a header of electron/protocol.ts.
const devPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws:"

/** `npm run dev`: builds main and preload, runs Electron on the dev server, and again whenever their sources change. */
function electronDev(): Plugin {
  return {
    name: 'electron-dev',
    apply: 'serve',
    configureServer(server) {
      let child: ChildProcess | undefined
      let queue = Promise.resolve()

      async function restart(): Promise<void> {
        const builder = await createBuilder({ configFile: at('vite.config.ts'), mode: 'development', logLevel: 'warn' })
        for (const name of built) {
          const environment = builder.environments[name]
          if (environment) await builder.build(environment)
        }
        await stop()
        const url = server.resolvedUrls?.local[0]
        child = spawn(process.execPath, [at('electron/runtime/electron.mjs'), import.meta.dirname], {
          stdio: 'inherit',
          env: { ...process.env, ...(url && { VITE_DEV_SERVER_URL: url }) },
        })
        child.once('exit', (code) => void server.close().then(() => process.exit(code ?? 0)))
      }
      // The old app holds the store and the instance lock until it has ended.
      async function stop(): Promise<void> {
        const old = child
        if (!old || old.exitCode !== null) return
        old.removeAllListeners('exit')
        const ended = new Promise((resolve) => old.once('exit', resolve))
        old.kill()
        await ended
      }
      function restartSoon(): void {
        queue = queue.then(restart).catch((error: unknown) => {
          server.config.logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
        })
      }

      server.httpServer?.once('listening', restartSoon)
      server.watcher.add([at('core'), at('electron')])
      server.watcher.on('all', (_event, file) => {
        const [folder] = path.relative(import.meta.dirname, file).split(path.sep)
        if ((folder === 'core' || folder === 'electron') && file.endsWith('.ts') && child) restartSoon()
      })
      process.on('exit', () => child?.kill())
    },
  }
}

export default defineConfig({
  root: at('renderer'),
  base: './',
  plugins: [react(), electronDev()],
  resolve: {
    alias: {
      // For browsers it asks the page what `&copy;` is, by innerHTML, which the window's policy forbids.
      'decode-named-character-reference': at('node_modules/decode-named-character-reference/index.js'),
    },
  },
  server: { host: '127.0.0.1', headers: { 'Content-Security-Policy': devPolicy } },
  environments: {
    client: {
      build: {
        outDir: at('dist/renderer'),
        emptyOutDir: true,
        target: 'chrome130',
        // A data: URL would need a wider policy for fonts and workers than the app has.
        assetsInlineLimit: 0,
        chunkSizeWarningLimit: 1_500,
      },
    },
    main: {
      consumer: 'server',
      resolve: { noExternal: true, external, conditions: ['node', 'import', 'module', 'default'] },
      build: {
        outDir: at('dist/main'),
        emptyOutDir: true,
        target: 'node20',
        sourcemap: true,
        minify: false,
        ssr: true,
        chunkSizeWarningLimit: 4_000,
        rolldownOptions: {
          input: {
            main: at('electron/main.ts'),
            cli: at('core/cli.ts'),
            'sandbox-child': at('core/sandbox/child.ts'),
            'local-child': at('core/models/local/child.ts'),
            'local-parts-hook': at('core/models/local/parts-hook.ts'),
            'store-worker': at('core/store/worker.ts'),
          },
          external,
          // Of gray-matter's engine for scripts, which front-matter.ts refuses before it and replaces within it.
          checks: { eval: false },
          output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        },
      },
    },
    preload: {
      consumer: 'server',
      resolve: { noExternal: true, external },
      build: {
        outDir: at('dist/preload'),
        emptyOutDir: true,
        target: 'chrome130',
        sourcemap: 'inline',
        minify: false,
        ssr: true,
        rolldownOptions: {
          input: at('electron/preload.ts'),
          external,
          // A sandboxed preload script cannot be an ES module.
          output: { format: 'cjs', entryFileNames: 'preload.cjs' },
        },
      },
    },
  },
  builder: {
    async buildApp(builder) {
      const wanted = Object.values(builder.environments).filter(({ name }) => name !== 'ssr')
      await Promise.all(wanted.map((environment) => builder.build(environment)))
    },
  },
})
