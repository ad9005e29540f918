// Stands in for Electron's own default_app.asar, which the fallback runtime lacks: `electron [-r module] <app> [args]`.
// Like that one, it awaits the app's main module, so `ready` comes only after it: an app must not await it at top level.

import fs from 'node:fs'
import Module from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron/main'

const argv = process.argv.slice(1)
const preload = []
let file
for (let i = 0; i < argv.length; i++) {
  const a = argv[i]
  if (a === '--version' || a === '-v') {
    console.log(`v${process.versions.electron}`)
    process.exit(0)
  } else if (a === '-r' || a === '--require') preload.push(argv[++i])
  else if (!a.startsWith('-')) {
    file = a
    break
  }
}
if (preload.length) Module._preloadModules(preload)
if (!file) {
  console.error('usage: electron <app>')
  process.exit(1)
}

Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true })
try {
  const root = path.resolve(file)
  const manifest = path.join(root, 'package.json')
  const has = fs.existsSync(manifest)
  if (has) {
    const pkg = JSON.parse(fs.readFileSync(manifest, 'utf8'))
    if (pkg.version) app.setVersion(pkg.version)
    if (pkg.productName || pkg.name) app.name = pkg.productName || pkg.name
    app.setDesktopName?.(pkg.desktopName || `${app.name}.desktop`)
  }
  const main = Module._resolveFilename(root, null, true)
  app.setAppPath(has ? root : path.dirname(main))
  await import(pathToFileURL(main).toString())
} catch (e) {
  console.error('App threw an error during load')
  console.error(e.stack || e)
  process.exit(1)
}
