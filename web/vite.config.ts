import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin, type Rolldown } from 'vite';
import { defineConfig } from 'vitest/config';

/** One page for each kind of screen; the server gives each out at its name. */
const PAGES = ['index', 'terminal', 'console', 'board', 'account', 'device'];

/** Where `npm run dev` finds a running server. */
const SERVER = process.env.PUNTO_SERVER ?? 'http://127.0.0.1:8100';

/** The page that is one file, so that a patron can keep it. */
const ALONE = 'receipt';

/** Puts script and style of a page into it, with a policy that lets nothing else run and no request leave. */
const inline: Plugin = {
  name: 'inline',
  enforce: 'post',
  generateBundle(_, bundle) {
    const all = Object.values(bundle);
    const page = all.find((it): it is Rolldown.OutputAsset => it.fileName === `${ALONE}.html`)!;
    const scripts = all.filter((it) => it.type === 'chunk');
    const styles = all.filter((it): it is Rolldown.OutputAsset => it.fileName.endsWith('.css'));
    if (scripts.length !== 1 || styles.length > 1) throw new Error('a page in one file has one script and one style');
    // Nothing in it may end the element that it stands in.
    const script = scripts[0]!.code.replaceAll('</script', '<\\/script');
    const style = String(styles[0]?.source ?? '');
    const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = [
      "default-src 'none'",
      `script-src ${digest(script)}`,
      `style-src ${digest(style)}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; ');
    const bare = String(page.source).replaceAll(
      /\s*<(script type="module"|link rel="stylesheet")[^>]*>(<\/script>)?/g,
      '',
    );
    const first = '<meta charset="utf-8" />';
    page.source = bare
      .replace(first, () => `${first}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`)
      .replace('</head>', () => `  <style>${style}</style>\n  </head>`)
      .replace(/<body>\s*<\/body>/, () => `<body><script type="module">${script}</script></body>`);
    for (const { fileName } of [...scripts, ...styles]) delete bundle[fileName];
  },
};

/** Builds that page after the others. */
const alone: Plugin = {
  name: 'alone',
  apply: 'build',
  async closeBundle() {
    await build({
      configFile: false,
      logLevel: 'warn',
      plugins: [svelte(), inline],
      resolve: { alias: [{ find: /^.*\/fonts\/fonts\.css$/, replacement: resolve('src/receipt/no-fonts.css') }] },
      build: {
        target: 'es2023',
        emptyOutDir: false,
        modulePreload: false,
        rolldownOptions: { input: `${ALONE}.html` },
      },
    });
  },
};

/** Compresses what was built, once, so that the server never does. */
const compress = {
  name: 'compress',
  apply: 'build' as const,
  // After the page that is built alone.
  closeBundle: {
    order: 'post' as const,
    sequential: true,
    handler() {
      for (const file of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg)$/.test(file)) continue;
        const path = join('dist', file);
        writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
      }
    },
  },
};

export default defineConfig({
  plugins: [svelte(), alone, compress],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: PAGES.map((page) => `${page}.html`) },
  },
  server: {
    proxy: { '/api': { target: SERVER, ws: true } },
    // A test compares the words for refusals with the server's own list of them.
    fs: { allow: ['.', '../crates/punto-server/src/register'] },
  },
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
