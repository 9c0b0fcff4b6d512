import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {quickStatus} from '#cli/control/quick-status.ts';
import {
  controlFolder,
  formatStatus,
  type ProgramStatus,
  removeStaleFiles,
  runningPrograms,
  statusFields,
  statusText,
  writeStatusFile,
} from '#cli/control/status-text.ts';
import {pathsOf} from '#config/paths.ts';
import {stranger, unreachableServer, verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const work = {
  account: 'work',
  organization: 'Acme',
  connection: 'online',
  unread: 7,
  mentions: 2,
  direct: 1,
  unsent: 0,
};
const home = {...work, account: 'home', organization: 'Home #[fg=red]%{A1:reboot:}', unread: 3, mentions: 0};

function folderWith(...programs: readonly Partial<ProgramStatus>[]) {
  const directory = scratchDirectory();
  const folder = controlFolder(pathsOf({}, directory));
  mkdirSync(folder, {recursive: true, mode: 0o700});
  for (const program of programs)
    writeStatusFile(folder, {pid: process.pid, startedAt: 1, accounts: [work], ...program});
  return {directory, folder, text: (options = {}) => statusText(options, {}, directory)};
}

/** A process that runs until the test ends. */
async function otherProcess(): Promise<number> {
  const child = spawn('sleep', ['1000']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child.pid ?? 0;
}

async function endedProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

test('ctl status: the file is private, and the counts are those of the shown account', () => {
  const {folder, text} = folderWith({accounts: [work, home]});
  expect(statSync(join(folder, `${process.pid}.json`)).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual([`${process.pid}.json`]);
  expect(text()).toBe('work: online, 7 unread, 2 mentions');
  expect(text({account: 'home'})).toBe('home: online, 3 unread, 0 mentions');
  const all = {...work, pid: process.pid, startedAt: 1, accounts: [work, home]};
  expect(JSON.parse(text({json: true}))).toEqual(all);
});

test('ctl status: a format has fields, parts that are left out while they are zero, and styles of tmux and polybar', () => {
  const {text} = folderWith({accounts: [work, home]});
  expect(text({format: '{unread}/{all_unread} {account}@{organization}'})).toBe('7/10 work@Acme');
  expect(text({format: '[✉ {unread}][ !{unsent}][ @{mentions}]'})).toBe('✉ 7 @2');
  expect(text({format: '[#[fg=red]@{mentions}#[default]]'})).toBe('#[fg=red]@2#[default]');
  expect(text({format: '[#[fg=red]!{unsent}]'})).toBe('');
  expect(text({format: '%{F#f00}{unread}%{F-} \\{\\[\\n.'})).toBe('%{F#f00}7%{F-} {[\n.');
});

test('ctl status: text of the server cannot begin a command of tmux or polybar', () => {
  const {text} = folderWith({accounts: [{...home, organization: `${home.organization}\u001b[31m#(id)\n`}]});
  expect(text({format: '{organization}'})).toBe('Home __fg=red___A1:reboot:__31m_(id)');
});

test('ctl status: all fields of the list exist, and an unknown one or a lone bracket is a usage error with the list', () => {
  const {text} = folderWith({});
  for (const field of statusFields) expect(text({format: `<{${field}}>`})).toMatch(/^<.+>$/);
  const fields = 'account, organization, connection, unread, mentions, direct, unsent, all_unread, all_mentions, pid';
  expect(() => text({format: '{unred}'})).toThrow(`There is no field “unred”. Fields: ${fields}.`);
  expect(() => text({format: '{constructor}'})).toThrow('There is no field');
  for (const format of ['[{unread}', '{unread}]', '[[{unread}]]'])
    expect(() => text({format})).toThrow('without its pair');
  expect(formatStatus('100%', {})).toBe('100%');
});

test('ctl status: of several programs the last started is meant, unless an account or a number is given', async () => {
  const other = await otherProcess();
  const {text} = folderWith({startedAt: 5}, {pid: other, startedAt: 9, accounts: [home]});
  expect(text({format: '{account}'})).toBe('home');
  expect(text({format: '{account}', account: 'work'})).toBe('work');
  expect(text({format: '{account}', pid: process.pid})).toBe('work');
  expect(() => text({pid: other, account: 'work'})).toThrow(
    `No Parley with the number ${other} and with the account “work” is running.`,
  );
});

test('ctl status: files of ended processes, of other machines and of anything else do not count, and a start removes the first', async () => {
  const ended = await endedProcess();
  const {folder, text} = folderWith({pid: ended}, {});
  const own = JSON.parse(readFileSync(join(folder, `${process.pid}.json`), 'utf8'));
  // Another process has the number now.
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify({...own, mark: '1'}));
  writeFileSync(join(folder, '1.json'), JSON.stringify({...own, pid: 1, host: 'elsewhere'}));
  writeFileSync(join(folder, '2.json'), '{"pid": 2, "accounts": "none"}');
  writeFileSync(join(folder, '3.json'), 'no JSON');
  expect(runningPrograms(folder)).toEqual([]);
  expect(() => text()).toThrow('No Parley with a control socket is running.');
  removeStaleFiles(folder);
  expect(readdirSync(folder).sort()).toEqual(['1.json', '2.json', '3.json']);
});

test('ctl status: without a folder, and in the folder of another user, nothing runs', () => {
  expect(() => statusText({}, {}, scratchDirectory())).toThrow('No Parley with a control socket is running.');
  const {folder, text} = folderWith({});
  chmodSync(folder, 0o700);
  expect(existsSync(folder)).toBe(true);
  expect(text()).toContain('work');
});

test('ctl status: the short way understands the options and leaves all else to the program', () => {
  const {directory} = folderWith({});
  const before = {
    HOME: process.env.HOME,
    XDG_RUNTIME_DIR: process.env.XDG_RUNTIME_DIR,
    XDG_STATE_HOME: process.env.XDG_STATE_HOME,
  };
  process.env.XDG_STATE_HOME = join(directory, '.local/state');
  delete process.env.XDG_RUNTIME_DIR;
  onTestFinished(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  expect(quickStatus(['--format', '{unread}'])).toEqual({text: '7', exitCode: 0});
  expect(quickStatus(['--format=-{unread}-', '--account', 'work', `--pid=${process.pid}`])?.text).toBe('-7-');
  expect(quickStatus(['--json'])?.text).toContain('"unread": 7');
  expect(quickStatus(['--account', 'nobody'])).toEqual({
    text: 'No Parley with the account “nobody” is running.',
    exitCode: 1,
  });
  expect(quickStatus(['--pid', '1'])?.text).toBe('No Parley with the number 1 is running.');
  for (const argv of [['--help'], ['--format'], ['--format', '-x'], ['--pid', 'x'], ['more'], ['--format', '{nope}']])
    expect(quickStatus(argv)).toBeUndefined();
});

test('ctl: the verbs say that nothing runs, with exit code 1, and what is wrong with the command line, with 2', async () => {
  const {run} = verbFixture(unreachableServer, stranger);
  const nothing = {code: 1, out: '', err: 'No Parley with a control socket is running.\n'};
  for (const verb of ['ctl status', 'ctl list', 'ctl commands', 'ctl view', 'ctl watch'] as const) {
    expect(await run(verb, []), verb).toEqual(nothing);
  }
  expect(await run('ctl run', ['view.inbox'])).toEqual(nothing);
  expect(await run('ctl call', ['view.get', '[1]'])).toMatchObject({code: 2, err: expect.stringContaining('PARAMS')});
});
