import {globSync, readFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {defineConfig} from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Folders with unit tests: the client without sockets and processes. Their other tests are named `*.integration.test.ts`. */
const unitFolders = '{std,wire,content,state,storage,config,terminal,theme,wording,ui,app,commands}';
/** Folders with tests over HTTP, sockets, terminals, bundles and processes. */
const integrationFolders = '{server,api,cli,zulip-compat,build,support,stories,given-server,e2e}';
const named = 'test/**/*.integration.test.{ts,tsx}';

const isOnGivenServer = process.env.PARLEY_TEST_ACCOUNTS !== undefined;
/** `unit` for `npm run check`, `slow` for `npm run test:slow`; `npm test` has none. */
const tier = process.env.PARLEY_TEST_TIER;

/** Far more than any test takes: a slow machine must not fail a test, and a test that hangs still fails. */
const timeoutMs = 60_000;

/** One feature level, or one for some areas. */
type Level = number | Readonly<Record<string, number>>;

/** Run in both tiers, against servers of other feature levels. */
const contract = 'test/contract/*.test.ts';

/**
 * Returns the files of `npm run test:slow`: those that ask `test/support/tier.ts` how much to run, and those with properties,
 * whose number of cases `test/support/seed.ts` sets.
 */
function slowTier(): string[] {
  const files = globSync('test/**/*.test.{ts,tsx}', {cwd: root});
  return files.filter((file) =>
    /'#test\/support\/tier\.ts'|'fast-check'/.test(readFileSync(`${root}/${file}`, 'utf8')),
  );
}

/**
 * Defines a project. `levels` are the feature levels of the servers in its contract tests; `answerDelayMs` is how late servers
 * answer changes.
 */
function project(
  name: string,
  include: string[],
  testTimeout: number,
  {levels = [], exclude = [], answerDelayMs = 0}: {levels?: Level[]; exclude?: string[]; answerDelayMs?: number} = {},
) {
  return {extends: true as const, test: {name, include, exclude, testTimeout, provide: {levels, answerDelayMs}}};
}

/** The feature levels between the oldest and the newest: each tests the areas that changed most around it. */
const levelByArea = {
  messages: 277,
  channels: 277,
  attachments: 277,
  organization: 371,
  people: 371,
  personal: 371,
};

/**
 * Defines the tests that run on a server that somebody else runs (`npm run test:server`), one after the other: its rate
 * limit is shared by all of them.
 */
function givenServer() {
  const include = ['test/contract/{messages,channels,personal}.test.ts', 'test/stories/*.test.ts'];
  const {extends: extended, test} = project('given-server', include, 3 * timeoutMs);
  return {extends: extended, test: {...test, maxWorkers: 1}};
}

const unit = [`test/${unitFolders}/**/*.test.{ts,tsx}`, 'test/*.test.ts'];
const integration = [`test/${integrationFolders}/**/*.test.{ts,tsx}`, named, contract];

/** What is changed from the keyboard is also tested on a slow network, where events arrive before the answers. */
const withLateAnswers = 'test/app/{composer,drafts-panel,inbox,organizations,panes,undo}/*.test.{ts,tsx}';

/** Returns the projects of a tier: one each, whose workers load the modules once. */
function projectsOf(tier: string | undefined) {
  if (tier === 'unit') return [project('unit', unit, timeoutMs, {exclude: [named]})];
  if (tier !== 'slow') {
    return [project('all', [...unit, ...integration], 5 * timeoutMs, {levels: [509, {personal: 122}]})];
  }
  return [
    project('slow', [...slowTier(), contract], 10 * timeoutMs, {levels: [122, levelByArea]}),
    project('late answers', [withLateAnswers], 10 * timeoutMs, {answerDelayMs: 60}),
  ];
}

export default defineConfig({
  root,
  test: {
    // Processes, so that the CPU time of a file is known with that of its child processes.
    pool: 'forks',
    execArgv: ['--import', new URL('support/modules/preload.ts', import.meta.url).href],
    // Node loads the sources: imports of Vite's module runner are slow, each time they are used.
    experimental: {viteModuleRunner: false, nodeLoader: false},
    // One more than the cores, because many tests wait for processes.
    maxWorkers: availableParallelism() + 1,
    // Every test starts its own server, so files can share the modules of a worker, which are loaded once.
    isolate: false,
    setupFiles: [
      'test/support/modules/use-module-hooks.ts',
      'test/support/seed.ts',
      'test/support/times/measure-cpu.ts',
    ],
    reporters: ['default', 'test/support/times/times-reporter.ts'],
    hookTimeout: timeoutMs,
    // Without equal lines, of which large objects have hundreds before the first different one.
    diff: {expand: false, contextLines: 3},
    // The default is one second.
    expect: {poll: {timeout: timeoutMs / 2}},
    projects: isOnGivenServer ? [givenServer()] : projectsOf(tier),
  },
});
