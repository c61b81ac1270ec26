// Bundles the scripts of the pages: node static/build.mjs. The same sources always give the same bytes.
import { build } from 'esbuild'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

const scripts = [
  ['client/datastar.js', 'dist/datastar.js'],
  ['player/player.js', 'dist/player.js'],
].filter(([source]) => existsSync(path(source)))

for (const [source, target] of scripts) {
  await build({
    entryPoints: [path(source)],
    outfile: path(target),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  })
  const bytes = readFileSync(path(target))
  console.log(`${target}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzip`)
}
