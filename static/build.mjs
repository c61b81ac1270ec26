// Bundles the scripts of the pages and makes their style sheet small: node static/build.mjs. The same sources always give the same bytes.
import { build } from 'esbuild'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))

const libraries = '// Contains @preact/signals-core (MIT, © Preact Team) and idiomorph (0BSD).'
const files = [
  { from: 'client/datastar.js', to: 'dist/datastar.js', notice: libraries },
  { from: 'player/player.js', to: 'dist/player.js' },
  { from: 'player/player_heat.js', to: 'dist/player_heat.js' },
  { from: 'class/desk.js', to: 'dist/desk.js' },
  { from: 'embed/frame.js', to: 'dist/frame.js' },
  { from: 'embed/export.js', to: 'dist/export.js' },
  { from: 'embed/dialog.js', to: 'dist/dialog.js' },
  { from: 'embed/host.js', to: 'dist/embed.js', format: 'iife' },
  { from: 'app.css', to: 'dist/app.css', target: 'esnext' },
]

for (const { from, to, notice = '', target = 'es2022', format = 'esm' } of files.filter(({ from }) => existsSync(path(from)))) {
  await build({
    entryPoints: [path(from)],
    outfile: path(to),
    bundle: true,
    minify: true,
    format,
    target,
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: notice },
    logLevel: 'warning',
  })
  const bytes = readFileSync(path(to))
  console.log(`${to}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzip`)
}
