import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The client from the inside. */
const inner = '{std,wire,content,state,storage,config,terminal,theme,app,commands}';
/** What is spoken to from outside: the server over HTTP, sockets that misbehave, terminals, bundles, other programs. */
const border = '{server,api,cli,foreign,build,support,ui}';
const slow = 'test/**/*.slow.test.{ts,tsx}';
const safety = ['test/server/safety/**/*.test.ts', 'test/**/safety.test.ts'];

/** Far more than anything takes: a machine that stalls is slow, not wrong. What hangs is found all the same. */
const patience = 60_000;

function project(name: string, include: string[], testTimeout: number, exclude: string[] = []) {
  return {extends: true as const, test: {name, include, exclude, testTimeout}};
}

function contract(name: string, level: number, areas = '*') {
  const {extends: extended, test} = project(name, [`test/contract/${areas}.test.ts`], patience);
  return {extends: extended, test: {...test, provide: {level}}};
}

/** Real processes on a machine that may stall: where nobody watches, a failure has to happen twice. */
function e2e() {
  const {extends: extended, test} = project('e2e', ['test/e2e/**/*.test.ts'], 3 * patience);
  return {extends: extended, test: {...test, retry: process.env.CI === undefined ? 0 : 1}};
}

export default defineConfig({
  root,
  test: {
    pool: 'threads',
    // The default leaves one core idle; with two there is only one other.
    maxWorkers: '100%',
    // Every test starts its own server, so files may share a worker's modules: imports are paid once, not per file.
    isolate: false,
    setupFiles: ['test/support/seed.ts'],
    hookTimeout: patience,
    // The default is a second.
    expect: {poll: {timeout: patience / 2}},
    projects: [
      project('unit', [`test/${inner}/**/*.test.{ts,tsx}`, 'test/*.test.ts'], patience, [...safety, slow]),
      contract('contract', 509),
      // Part of `npm test`, not of `npm run check`, which has to end within a minute.
      project('border', [`test/${border}/**/*.test.{ts,tsx}`], patience, [...safety, slow]),
      // The same laws with older servers: part of `npm test`, not of `npm run check`. The oldest shows what is missing;
      // of the two between each takes the areas that changed most around it.
      contract('contract-122', 122),
      contract('contract-277', 277, '{messages,channels,attachments}'),
      contract('contract-371', 371, '{organization,people,personal}'),
      // Thorough ones and long random walks: part of `npm test`, not of `npm run check`.
      project('slow', [slow], 3 * patience),
      project('safety', safety, 5 * patience),
      e2e(),
    ],
  },
});
