import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {controlFolder, controlSocketName} from '#cli/control/status-text.ts';
import {pathsOf} from '#config/paths.ts';
import {startBenchServer} from '#test/bench/bench-server.ts';
import {ms, printTable} from '#test/bench/table.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {Terminal} from '#test/support/terminal/terminal.ts';
import {latencyOf} from './latency.ts';
import {parleyProgram} from './parley-program.ts';

const request = (method: string) => ({jsonrpc: '2.0', id: 1, method});
const lines = {
  'status.get': request('status.get'),
  'view.get': request('view.get'),
  'commands.list': request('commands.list'),
  '32 × commands.list': Array.from({length: 32}, () => request('commands.list')),
};
const rounds = 30;

/** Prints how long a key in the composer takes while other programs send requests to the control socket without a pause. */
export async function controlFloods(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const served = await startBenchServer('--world', 'demo', '--size', 'small', '--bots', 'off');
  const [you] = served.accounts;
  const [typing] = parleyProgram.actions;
  if (you === undefined || typing === undefined) throw new Error('The demo has no accounts.');
  const size = {cols: 120, rows: 40};
  const signIn = {site: served.url, email: you.email, apiKey: you.api_key};
  const {file, args, env, cwd} = parleyCommand({home, signIn, env: {PARLEY_ENTER_SENDS: 'yes'}});
  const terminal = Terminal.open(file, args, {size, env, cwd});
  try {
    await terminal.waitFor(parleyProgram.isUsable, 'Parley ready');
    const socket = join(controlFolder(pathsOf({}, home)), controlSocketName(terminal.pid));
    const measure = async (name: string) => {
      const {p50, p99, worst} = await latencyOf(terminal, typing, rounds);
      return [name, ms(p50), ms(p99), ms(worst)];
    };
    const rows = [await measure('no requests')];
    for (const [name, line] of Object.entries(lines)) {
      for (const connections of [1, 5, 16]) {
        const words = [socket, String(connections), JSON.stringify(line)];
        const child = spawn(process.execPath, ['test/bench/ui/control-flood-child.ts', ...words], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        await once(child.stdout, 'data');
        rows.push(await measure(`${name}, ${connections} ${connections === 1 ? 'connection' : 'connections'}`));
        child.kill();
        await once(child, 'exit');
      }
    }
    printTable('Key → character beside requests at the control socket', ['', 'p50', 'p99', 'worst'], rows);
  } finally {
    await terminal.close();
    await served.stop();
    rmSync(home, {recursive: true, force: true});
  }
}
