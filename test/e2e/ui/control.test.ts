import {execFile, spawn} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {expect, onTestFinished} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {parleyCommand} from '#test/support/terminal/parley-command.ts';
import {slowTest} from '#test/support/tier.ts';
import {openTides, quit, twoUserFixture, usualSize} from './two-user-fixture.ts';

const chapter = readFileSync('assets/help/control.md', 'utf8');

/** Returns a function that runs a line of a shell in which `parley` is the built program. */
function shellOf(home: string) {
  const {file, args, env} = parleyCommand({home});
  const parley = `parley() { "${file}" ${args.map((each) => `'${each}'`).join(' ')} "$@"; }`;
  return (line: string) =>
    new Promise<{readonly code: number; readonly out: string; readonly err: string}>((resolve) => {
      execFile('bash', ['-c', `${parley}; ${line}`], {env, cwd: home}, (error, out, err) =>
        resolve({code: error === null ? 0 : Number(error.code), out, err}),
      );
    });
}

/** Waits until a line of a shell prints this. */
async function waitForOutput(run: () => Promise<{readonly out: string}>, expected: string): Promise<void> {
  await expect.poll(async () => (await run()).out, {timeout: 60_000}).toBe(expected);
}

slowTest('control: another program reads the counts, runs a command on the screen, and hears of messages', async () => {
  const chat = await twoUserFixture();
  const home = scratchDirectory();
  const shell = shellOf(home);
  const nothing = {code: 1, out: '', err: 'No Parley with a control socket is running.\n'};
  expect(await shell("parley ctl status --format '{unread}'")).toEqual(nothing);
  const terminal = chat.open(chat.meg, {home, size: usualSize});
  await terminal.waitFor('ropes');
  const counts = () => shell("parley ctl status --format '{connection} {unread}[ @{mentions}]'");
  await waitForOutput(counts, 'online 4\n');
  await chat.sendToTopic(chat.otto, 'ropes', '@**Meg Member** look!');
  await waitForOutput(counts, 'online 5 @1\n');
  expect(await shell('parley ctl run view.recent')).toMatchObject({code: 0, out: 'Ran view.recent\n'});
  await terminal.waitFor('Recent conversations');
  expect(await shell('parley ctl run msg.star')).toEqual({code: 1, out: '', err: 'Only in the message pane.\n'});
  const watch = spawn('bash', ['-c', `exec ${watchCommand(home)}`], {stdio: ['ignore', 'pipe', 'pipe']});
  onTestFinished(() => void watch.kill('SIGKILL'));
  const lines = createInterface({input: watch.stdout})[Symbol.asyncIterator]();
  const heard = lines.next().then(({value}) => String(value));
  const {account}: {account: string} = JSON.parse((await shell('parley ctl status --json')).out);
  // Nothing tells when it has begun to listen.
  let line: string | undefined;
  for (void heard.then((text) => (line = text)); line === undefined; ) {
    await chat.sendToTopic(chat.otto, 'ropes', 'Ready \u001b[31mnow.');
    await shell('sleep 0.3');
  }
  expect(line).toBe(`${account}: #harbour>ropes Otto Other: Ready [31mnow.`);
  await quit(terminal);
  expect(await shell("parley ctl status --format '{unread}'")).toEqual(nothing);
  expect(readdirSync(join(home, '.local/state/parley/run/control'))).toEqual([]);
});

slowTest(
  'control: another program holds the notifications, the screen says until when, and a command ends it',
  async () => {
    const home = scratchDirectory();
    const shell = shellOf(home);
    const terminal = await openTides(await twoUserFixture(), usualSize, {home});
    await waitForOutput(() => shell("parley ctl status --format '{connection}'"), 'online\n');
    expect(await shell('parley ctl run notify.pause')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Do not disturb until /),
    });
    await terminal.waitFor('quiet until');
    const until = Number(readFileSync(join(home, '.local/state/parley/do-not-disturb'), 'utf8'));
    expect(until).toBeGreaterThan(Date.now());
    expect(await shell('parley ctl run notify.resume')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Notifications are on/),
    });
    await terminal.waitFor((screen) => !screen.text.includes('quiet until'), 'no sign');
    expect(await shell('parley ctl run notify.resume')).toMatchObject({
      code: 1,
      err: 'Do not disturb is off already\n',
    });
    await quit(terminal);
  },
);

function watchCommand(home: string): string {
  const {file, args, env} = parleyCommand({home, args: ['ctl', 'watch', 'message']});
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  return `env -i ${variables.join(' ')} "${file}" ${args.map((each) => `'${each}'`).join(' ')}`;
}

slowTest('control: every example of the chapter works, and a killed Parley counts as none', async () => {
  const home = scratchDirectory();
  const shell = shellOf(home);
  const terminal = await openTides(await twoUserFixture(), usualSize, {home});
  await waitForOutput(() => shell("parley ctl status --format '{connection}'"), 'online\n');
  const blocks = [...chapter.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)];
  const lines = blocks.flatMap(([, kind, text = '']) =>
    kind === 'sh'
      ? text.trim().split('\n')
      : [...text.matchAll(/parley ctl status(?: --format '[^']*')?/g)].map(([line]) => line),
  );
  expect(lines).toHaveLength(10);
  for (const line of lines) {
    const {code, out, err} = await shell(line);
    expect({line, code, err}).toEqual({line, code: 0, err: ''});
    expect(out, line).not.toBe('');
  }
  terminal.kill('SIGKILL');
  await terminal.waitForExit();
  expect(await shell('parley ctl status')).toMatchObject({code: 1, out: ''});
});
