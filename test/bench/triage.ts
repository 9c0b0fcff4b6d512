/**
 * npm run bench:triage [-- --quick] [-- --size small|large|huge]
 *
 * Measures the inbox as a user has it: the built program at 120x40 in a real pty, with a server that has 50,000 unread
 * messages in 2,000 conversations. It measures from a key to the next conversation on the screen, and from the start to the
 * inbox with saved data.
 */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {echoBaseline} from '#test/bench/ui/baselines.ts';
import {rowWith} from '#test/bench/ui/find-on-screen.ts';
import {latencyOf} from '#test/bench/ui/latency.ts';
import type {MeasuredAction} from '#test/bench/ui/measured-program.ts';
import {parleyCommand, type SignIn} from '#test/support/terminal/parley-command.ts';
import {Terminal} from '#test/support/terminal/terminal.ts';
import {startBenchServer} from './bench-server.ts';
import {ms, printTable, summary} from './table.ts';

const size = {cols: 120, rows: 40};
const isQuick = process.argv.includes('--quick');
const world = process.argv[process.argv.indexOf('--size') + 1] ?? '';
const worldSize = process.argv.includes('--size') ? world : 'huge';
/** At most as many as the undo history holds, warm-up included. */
const rounds = isQuick ? 60 : 170;
const starts = isQuick ? 3 : 7;

/**
 * Returns the row under the cursor and the heading of its preview, the first line below the rule. Rows with long names may
 * look alike; only the heading has room to distinguish them.
 */
function triaged(terminal: Terminal): string {
  const row = rowWith(terminal, '▌');
  const ruleAt = Number.parseInt(rowWith(terminal, '┬'), 10);
  return row === '' || Number.isNaN(ruleAt) ? '' : `${row}\n${terminal.row(ruleAt + 1)}`;
}
const nothing = async () => {};

const press = (name: string, key: string): MeasuredAction => ({
  name,
  enter: nothing,
  keys: () => [key],
  watched: triaged,
  leave: nothing,
});

const actions: readonly MeasuredAction[] = [
  press('e, done and next', 'e'),
  press('z, undo and back', 'z'),
  press('j, next row', 'j'),
  press('n, keep and next', 'n'),
];

function open(home: string, signIn: SignIn): Terminal {
  const {file, args, env, cwd} = parleyCommand({home, args: [], signIn});
  return Terminal.open(file, args, {size, env, cwd});
}

const hasRows = (terminal: Terminal) => triaged(terminal) !== '';
const hasTitle = (title: string) => (terminal: Terminal) => terminal.row(0).includes(title);

/** Measures opening the inbox from another view, including sorting all unread conversations. */
async function openings(terminal: Terminal): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let round = 0; round < (isQuick ? 10 : 40); round++) {
    terminal.keys('t');
    await terminal.waitFor(() => hasTitle('Recent')(terminal), 'recent conversations');
    const start = performance.now();
    terminal.keys('I');
    await terminal.waitFor(() => hasTitle('Inbox')(terminal) && hasRows(terminal), 'the inbox');
    samples.push(performance.now() - start);
  }
  return samples;
}

async function keys(home: string, signIn: SignIn): Promise<void> {
  const floor = await echoBaseline(size, rounds);
  const terminal = open(home, signIn);
  try {
    await terminal.waitFor(({text}) => /\d+ conversations/.test(text) && !text.includes('≈'), 'the inbox');
    await terminal.waitFor(() => hasRows(terminal), 'a row under the cursor');
    const rows = [];
    for (const action of actions) {
      const {p50, p99, worst, bytes} = await latencyOf(terminal, action, rounds);
      rows.push([action.name, ms(p50), ms(p99), ms(worst), bytes.toFixed(0)]);
    }
    printTable(
      `Triage on ${worldSize} at ${size.cols}x${size.rows}`,
      ['', 'p50', 'p99', 'worst', 'bytes'],
      [['(floor: cat)', ms(floor.p50), ms(floor.p99), ms(floor.worst), ''], ...rows],
    );
    const {p50, p99, worst} = summary(await openings(terminal));
    printTable(
      'Opening the inbox from the cache, in the running program',
      ['', 'p50', 'p99', 'worst'],
      [['I → rows and preview', ms(p50), ms(p99), ms(worst)]],
    );
    terminal.keys('Ctrl-C', 'Ctrl-C');
    await terminal.waitForExit();
  } finally {
    await terminal.close();
  }
}

/** Measures the start with the data that the last run saved. */
async function opening(home: string, signIn: SignIn): Promise<void> {
  const samples: number[] = [];
  for (let at = 0; at < starts; at++) {
    const start = performance.now();
    const terminal = open(home, signIn);
    try {
      await terminal.waitFor(() => hasRows(terminal), 'the inbox');
      samples.push(performance.now() - start);
      terminal.keys('Ctrl-C', 'Ctrl-C');
      await terminal.waitForExit();
    } finally {
      await terminal.close();
    }
  }
  const {p50, worst} = summary(samples);
  printTable(
    'From the start of the program to the inbox, from the disk',
    ['', 'p50', 'worst'],
    [['start → rows', ms(p50), ms(worst)]],
  );
}

const served = await startBenchServer('--memory', '--world', 'demo', '--size', worldSize, '--bots', 'off');
const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
try {
  const [account] = served.accounts;
  if (account === undefined) throw new Error('The demo has no account.');
  // Avoids the question that is asked at the first start.
  const config = join(home, '.config', 'parley');
  mkdirSync(config, {recursive: true});
  writeFileSync(join(config, 'config.toml'), 'enter_sends = "yes"\n');
  const signIn = {site: served.url, email: account.email, apiKey: account.api_key};
  await keys(home, signIn);
  await opening(home, signIn);
} finally {
  await served.stop();
  rmSync(home, {recursive: true, force: true});
}
