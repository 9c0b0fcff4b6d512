import {mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {terminalDevice, terminalHandover} from '#cli/screen/terminal-device.ts';
import {type Capabilities, initialCapabilities} from '#terminal/capabilities.ts';
import {terminalEnvironment} from '#terminal/environment.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

/** A device without a terminal, in a new home; `done` are the steps of lending the terminal and what was written. */
function deviceFixture(variables: Readonly<Record<string, string>> = {}, capabilities: Partial<Capabilities> = {}) {
  const home = scratchDirectory();
  const env = {TERM: 'xterm', HOME: home, ...variables};
  const environment = terminalEnvironment(env, true);
  const done: string[] = [];
  const device = terminalDevice({
    env,
    run: async () => ({kind: 'failed', problem: 'no program'}),
    environment: () => environment,
    capabilities: () => ({...initialCapabilities(environment), ...capabilities}),
    write: (sequence) => done.push(sequence),
    runtimeDirectory: home,
    stateDirectory: home,
    lend: async (body) => {
      done.push('lent');
      const result = await body();
      done.push('back');
      return result;
    },
    redraw: () => {},
    suspend: () => {},
    quit: () => {},
  });
  return {device, home, done};
}

test('device: an editor that fails says where the text is that it saved, and one that saved nothing does not', async () => {
  const failing = (saves: string) => deviceFixture({EDITOR: `sh -c '${saves}exit 3' sh`}).device;
  const problem = 'ended with code 3.';
  const failed = await failing('echo kept > "$1"; ')
    .edit('text', [])
    .catch((error: Error) => error.message);
  expect(failed).toContain(problem);
  const path = /The saved text is in (\S+)\.$/.exec(String(failed))?.[1] ?? '';
  expect(readFileSync(path, 'utf8')).toBe('kept\n');
  await expect(failing('').edit('text', [])).rejects.toThrow(/ended with code 3\.$/);
});

test('device: an editor gets the terminal, and unchanged text is no new text', async () => {
  const {device, done} = deviceFixture({EDITOR: 'true'});
  expect(await device.edit('text', [])).toBeUndefined();
  expect(done).toEqual(['lent', 'back']);
  const {device: changing} = deviceFixture({EDITOR: "sed -i 's/^text/new &/'"});
  expect(await changing.edit('text', ['To Otto'])).toBe('new text');
});

test('device: files are listed with links to folders as folders, also from home', async () => {
  const {device, home} = deviceFixture();
  mkdirSync(join(home, 'charts', 'tides'), {recursive: true});
  writeFileSync(join(home, 'charts', 'a.txt'), 'a');
  symlinkSync(join(home, 'charts', 'tides'), join(home, 'charts', 'link'));
  symlinkSync(join(home, 'nowhere'), join(home, 'charts', 'broken'));
  const listed = device.listFiles('~/charts').map(({name, isDirectory}) => [name, isDirectory] as const);
  expect(Object.fromEntries(listed)).toEqual({'a.txt': false, tides: true, link: true, broken: false});
});

test('device: a file is read from home, and one that cannot be read is named', async () => {
  const {device, home} = deviceFixture();
  writeFileSync(join(home, 'tide.txt'), 'at four');
  expect(await device.readFile('~/tide.txt')).toMatchObject({name: 'tide.txt', size: 7});
  await expect(device.readFile('~/ebb.txt')).rejects.toThrow('There is no file ~/ebb.txt.');
  await expect(device.readFile('~')).rejects.toThrow('~ is a directory.');
  await expect(device.readFile('~otto')).rejects.toThrow('There is no file ~otto.');
});

test('device: copying says whether the text was copied, sent or neither', async () => {
  expect(await deviceFixture({}, {osc52: true}).device.copy('text')).toBe('Copied');
  expect(await deviceFixture({}, {osc52: undefined}).device.copy('text')).toBe('Sent to the terminal’s clipboard');
  expect(await deviceFixture({}, {osc52: false}).device.copy('text')).toBe('No clipboard program found');
  expect(await deviceFixture({}, {osc52: undefined}).device.copy('x'.repeat(80_000))).toBe('Too long to copy');
});

test('device: progress is written and removed only where the terminal shows it', () => {
  const [shown, other] = [deviceFixture({}, {progress: true}), deviceFixture({}, {progress: false})];
  for (const {device} of [shown, other]) {
    device.setProgress(50);
    device.setProgress(undefined);
  }
  expect(shown.done).toEqual(['\u001b]9;4;1;50\u0007', '\u001b]9;4;0\u0007']);
  expect(other.done).toEqual([]);
});

test('device: it is remote over SSH only', () => {
  expect(deviceFixture().device.isRemote).toBe(false);
  expect(deviceFixture({SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22'}).device.isRemote).toBe(true);
});

test('handover: pending output is written first, the terminal comes back after a failure too, and after a suspension it resumes', async () => {
  const steps: string[] = [];
  const step = (name: string) => () => void steps.push(name);
  const lifecycle = {
    pause: step('pause'),
    resume: step('resume'),
    suspend: async () => step('suspend')(),
  };
  const clock = new ManualClock();
  const {promise: drained, resolve: drain} = Promise.withResolvers<void>();
  const handover = terminalHandover(lifecycle, {whenDrained: () => drained}, clock, step('resumed'));
  const failed = handover.lend(() => Promise.reject(new Error('no editor')));
  expect(steps).toEqual([]);
  drain();
  await expect(failed).rejects.toThrow('no editor');
  expect(steps).toEqual(['pause', 'resume']);
  await handover.suspend();
  expect(steps.slice(2)).toEqual(['suspend', 'resumed']);
  expect(clock.pending).toBe(0);
  // A terminal that reads nothing is handed over after a while.
  const stuck = terminalHandover(lifecycle, {whenDrained: () => new Promise(() => {})}, clock, step('resumed'));
  const lent = stuck.lend(async () => 'done');
  clock.advance(200);
  expect(await lent).toBe('done');
});
