#!/usr/bin/env node
// Runs the Rust tests, several test programs at a time: many of them wait (for a server, for a deadline), and one after the other
// leaves a core idle. Prints what each says when it has ended. Usage: scripts/rust-tests.mjs   (CARGO names another cargo)
import { execFileSync, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';

const cargo = process.env.CARGO ?? 'cargo';
const build = ['test', '--workspace', '--locked', '--no-run', '--message-format=json'];
const built = execFileSync(cargo, build, { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'inherit'] });
const programs = built
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
  .filter((it) => it.reason === 'compiler-artifact' && it.profile.test && it.executable)
  .map(({ executable, manifest_path, target }) => ({ executable, folder: dirname(manifest_path), file: target.src_path }));

/** Runs a program; its exit code and what it said. */
function run(command, args, folder) {
  return new Promise((done) => {
    let said = '';
    const env = { ...process.env, CARGO_MANIFEST_DIR: folder };
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    child.on('error', (error) => done({ code: 1, said: `${said}${error}\n` }));
    child.on('close', (code, signal) => done({ code: code ?? 1, said: signal ? `${said}ended by ${signal}\n` : said }));
  });
}

const failed = [];
async function worker(rest) {
  for (let program = rest.shift(); program; program = rest.shift()) {
    const { executable, folder, file } = program;
    const { code, said } = await run(executable, ['--quiet'], folder);
    const name = file.slice(process.cwd().length + 1);
    process.stdout.write(`     Running ${name}\n${said}`);
    if (code !== 0) failed.push(name);
  }
}

// The slowest first, so that none of them is alone at the end.
const slow = ['all.rs', 'views.rs', 'guests.rs', 'streams.rs', 'drill.rs'];
const rank = ({ file }) => (slow.some((it) => file.includes(it)) ? 0 : 1);
const queue = [...programs].sort((a, b) => rank(a) - rank(b));
await Promise.all(Array.from({ length: availableParallelism() }, () => worker(queue)));

const documents = await run(cargo, ['test', '--workspace', '--locked', '--doc', '--quiet'], process.cwd());
process.stdout.write(documents.said);
if (documents.code !== 0) failed.push('documentation tests');

if (failed.length > 0) {
  process.stdout.write(`error: ${failed.length} of ${programs.length} test programs failed: ${failed.join(', ')}\n`);
  process.exit(1);
}
process.stdout.write(`${programs.length} test programs passed\n`);
