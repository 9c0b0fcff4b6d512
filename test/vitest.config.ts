import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The client from the inside. */
const inner = '{std,wire,content,state,storage,config,terminal,theme,app,commands}';
/** What is spoken to from outside: the server over HTTP, sockets that misbehave, terminals, bundles, other programs. */
const outer = '{server,api,cli,zulip-compat,build,support,ui}';
const slow = 'test/**/*.slow.test.{ts,tsx}';
const safety = ['test/server/safety/**/*.test.ts', 'test/**/safety.test.ts'];

/** Far more than anything takes: a machine that stalls is slow, not wrong. What hangs is found all the same. */
const patience = 60_000;

/** A worker belongs to one project and loads everything anew for it, seconds of work: there are no more than needed. */
function project(name: string, include: string[], testTimeout: number, exclude: string[] = []) {
  return {extends: true as const, test: {name, include, exclude, testTimeout}};
}

/** The laws of the contract with servers of one level, or of one for each area. */
function contract(name: string, level: number | Readonly<Record<string, number>>) {
  const {extends: extended, test} = project(name, ['test/contract/*.test.ts'], patience);
  return {extends: extended, test: {...test, provide: {level}}};
}

/** Of the levels between the oldest and ours each takes the areas that changed most around it. */
const between = {
  messages: 277,
  channels: 277,
  attachments: 277,
  organization: 371,
  people: 371,
  personal: 371,
};

/** Real processes, sockets and disks on a machine that may stall: where nobody watches, a failure has to happen twice. */
const retry = process.env.CI === undefined && process.stdout.isTTY ? 0 : 1;

function e2e() {
  const {extends: extended, test} = project('e2e', ['test/e2e/**/*.test.ts'], 3 * patience);
  return {
    extends: extended,
    test: {
      ...test,
      retry,
      // A fifth of it is waiting for the other side, so one more at a time than there are cores. What has a number of
      // workers of its own runs in a group of its own, after the others.
      maxWorkers: availableParallelism() + 1,
      sequence: {groupOrder: 1},
    },
  };
}

/** With the thorough ones and the long random walks of everything. */
function border() {
  const include = [`test/${outer}/**/*.test.{ts,tsx}`, slow, ...safety];
  const {extends: extended, test} = project('border', include, 5 * patience);
  return {extends: extended, test: {...test, retry}};
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
      // All others are part of `npm test`, not of `npm run check`, which has to end within a minute.
      // The same laws with older servers; the oldest shows what is missing.
      contract('contract-122', 122),
      contract('contract-between', between),
      border(),
      e2e(),
    ],
  },
});
