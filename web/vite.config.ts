import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** One page for each kind of screen; the server gives each out at its name. */
const PAGES = ['index', 'terminal', 'console', 'board'];

/** Where `npm run dev` finds a running server. */
const SERVER = process.env.PUNTO_SERVER ?? 'http://127.0.0.1:8100';

/** Compresses what was built, once, so that the server never does. */
const compress = {
  name: 'compress',
  apply: 'build' as const,
  closeBundle() {
    for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
      if (!/\.(html|js|css|svg)$/.test(file)) continue;
      const path = join('dist', file);
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
    }
  },
};

export default defineConfig({
  plugins: [svelte(), compress],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: PAGES.map((page) => `${page}.html`) },
  },
  server: { proxy: { '/api': { target: SERVER, ws: true } } },
  test: {
    projects: [
      {
        extends: true,
        resolve: { conditions: ['browser'] },
        test: { name: 'unit', include: ['src/**/*.test.ts', 'fonts/**/*.test.ts'], environment: 'happy-dom' },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['browser/**/*.test.ts'],
          environment: 'node',
          // Node 20 has a WebSocket only if it is asked for.
          execArgv: ['--experimental-websocket'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'pictures',
          include: ['browser/pictures.ts'],
          environment: 'node',
          execArgv: ['--experimental-websocket'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
