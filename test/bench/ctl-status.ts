/**
 * npm run bench:ctl
 *
 * Prints how long `parley --version` and `parley ctl status` of the built program take, beside bare Node: the median of many
 * runs in turn. `npm run build` comes first. Then how long keys take while other programs flood the control socket.
 */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {controlFolder, writeStatusFile} from '#cli/control/status-text.ts';
import {pathsOf} from '#config/paths.ts';
import {controlFloods} from '#test/bench/ui/control-flood.ts';
import {builtProgram} from '#test/support/terminal/built-program.ts';
import {printTable, summary} from './table.ts';

const rounds = 25;
const home = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const folder = controlFolder(pathsOf({}, home));
mkdirSync(folder, {recursive: true, mode: 0o700});
const counts = {unread: 12, mentions: 3, direct: 1, unsent: 0};
const accounts = [{account: 'work', organization: 'Acme', connection: 'online', ...counts}];
writeStatusFile(folder, {pid: process.pid, startedAt: 0, accounts});

const commands = {
  'node -e 0': ['-e', '0'],
  'parley --version': [builtProgram(), '--version'],
  'parley ctl status': [builtProgram(), 'ctl', 'status', '--format', '[{unread}][ @{mentions}]'],
} as const;
const times: Record<string, number[]> = {};
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(commands)) {
    const began = performance.now();
    execFileSync(process.execPath, args, {env: {HOME: home}});
    times[name] = [...(times[name] ?? []), performance.now() - began];
  }
}
rmSync(home, {recursive: true});
const middle = (name: string) => summary(times[name] ?? []).p50;
const rows = Object.keys(commands).map((name) => [
  name,
  `${middle(name).toFixed(0)} ms`,
  `${(middle(name) / middle('node -e 0')).toFixed(2)}×`,
]);
printTable('Status', ['', 'median', '÷ node'], rows);
await controlFloods();
