import {type ChildProcess, spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {openTerminal} from '#test/support/terminal/open-terminal.ts';
import {fewOf, slowTest} from '#test/support/tier.ts';

async function scene() {
  // A test may send any number of messages until a process ends.
  const server = await testServer({rateLimited: false});
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  server.people.channel('general', [meg, otto]);
  const home = scratchDirectory();
  const text = `[api]\nemail=${meg.email}\nkey=${meg.apiKey}\nsite=${server.url}\n`;
  writeFileSync(join(home, 'zuliprc'), text, {mode: 0o600});
  const say = (content: string) =>
    server.as(otto).post('/messages', {type: 'stream', to: 'general', topic: 't', content});
  return {server, meg, otto, home, say};
}

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<{code: number | null; signal: string | null; out: string; err: string}>;
  /** Resolves once this text is on standard output. */
  saw(text: string): Promise<void>;
}

/** Runs the program itself; `shell` runs a line in which it is `$PARLEY`. */
function program(
  home: string,
  argv: readonly string[],
  {input, shell}: {input?: string; shell?: string} = {},
): Program {
  const start = join(import.meta.dirname, '../../src/parley.js');
  const env = {PATH: process.env.PATH, HOME: home, PARLEY: `${process.execPath} ${start}`};
  const child =
    shell === undefined
      ? spawn(process.execPath, [start, ...argv], {cwd: home, env})
      : spawn('bash', ['-c', shell], {cwd: home, env});
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk;
  });
  if (input !== undefined) child.stdin.write(input);
  child.stdin.on('error', () => {}).end();
  const ended = new Promise<Awaited<Program['ended']>>((resolve) => {
    child.on('close', (code, signal) => resolve({code, signal, out, err}));
  });
  const saw = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => out.includes(text) && resolve();
      child.stdout.on('data', look);
      look();
    });
  return {child, ended, saw};
}

test('verbs: a script pipes a message in, and exit code 0 means that the server has it', async () => {
  const {home, server, otto} = await scene();
  const run = program(home, ['send', '--to', '#general>from a pipe'], {input: 'one\ntwo\n'});
  expect(await run.ended).toEqual({code: 0, signal: null, out: 'Sent to #general › from a pipe.\n', err: ''});
  const {messages} = await server
    .as(otto)
    .get('/messages', {anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false});
  expect(messages).toMatchObject([{content: 'one\ntwo', subject: 'from a pipe'}]);
});

slowTest('verbs: a verb of two words is found after and between options, and its result is piped on', async () => {
  const {home, server, otto} = await scene();
  const shell = '$PARLEY --config zuliprc channel --json create plans -d "- what we plan" | grep -c plans';
  expect(await program(home, [], {shell}).ended).toMatchObject({code: 0, out: '1\n', err: ''});
  const {streams} = await server.as(otto).get('/streams');
  expect(streams).toContainEqual(expect.objectContaining({name: 'plans', description: '- what we plan'}));
  const [unknown, help] = await Promise.all([
    program(home, ['channel', 'paint']).ended,
    program(home, ['help', 'channel', 'create']).ended,
  ]);
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringMatching(/^Use “parley channel” with .*, not “paint”\.\n$/),
  ]);
  expect([help.code, help.out]).toEqual([0, expect.stringMatching(/^parley channel create: /)]);
});

slowTest('verbs: concurrent sends each send their message once', async () => {
  const {home, server, otto} = await scene();
  const words = Array.from({length: 5}, (_, index) => `message ${index}`);
  const ends = await Promise.all(words.map((word) => program(home, ['send', '--to', '#general>t', '-m', word]).ended));
  expect(ends.map(({code, err}) => ({code, err}))).toEqual(words.map(() => ({code: 0, err: ''})));
  const {messages} = await server
    .as(otto)
    .get('/messages', {anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false});
  expect(messages.map(({content}: {content: string}) => content).sort()).toEqual(words);
});

slowTest('verbs: each kind of failure has its exit code and one sentence', async () => {
  const {home, server} = await scene();
  writeFileSync(join(home, 'wrong'), `[api]\nemail=x@example.com\nkey=${'k'.repeat(32)}\nsite=${server.url}\n`);
  writeFileSync(join(home, 'gone'), `[api]\nemail=x@example.com\nkey=${'k'.repeat(32)}\nsite=http://127.0.0.1:1\n`);
  const lines = [
    ['send --to nobody -m x', 1],
    ['unread --wibble', 2],
    ['wibble', 2],
    ['--account nobody whoami', 3],
    ['whoami --config wrong', 3],
    ['--config gone whoami', 4],
  ] as const;
  const outcomes = await Promise.all(lines.map(([line]) => program(home, line.split(' ')).ended));
  expect(outcomes.map(({code}) => code)).toEqual(lines.map(([, code]) => code));
  // A readable key file is repaired, which prints a notice too.
  for (const {out, err} of outcomes)
    expect([out, err.trimEnd().split('\n').at(-1)]).toEqual(['', expect.stringMatching(/[.?]$/)]);
});

slowTest('verbs: a closed pipe is no failure', async () => {
  const {home, say} = await scene();
  await Promise.all(Array.from({length: 60}, (_, index) => say(`${index} ${'x'.repeat(3000)}`)));
  const line = 'set -o pipefail; $PARLEY read "#general" -n 1000 | head -n 1';
  const {code, out, err} = await program(home, [], {shell: line}).ended;
  expect([code, err, out.split('\n').length]).toEqual([0, '', 2]);
});

slowTest('verbs: tail ends and deletes its queue when its reader ends', async () => {
  const {home, say, server} = await scene();
  await say('first');
  const {ended, saw} = program(home, [], {shell: 'set -o pipefail; $PARLEY tail "#general>t" | head -n 1'});
  await saw('first');
  // The write that fails because the reader has ended.
  const end = ended.then(() => 'ended');
  while ((await Promise.race([end, say('more')])) !== 'ended');
  expect(await ended).toMatchObject({code: 0, err: ''});
  expect(server.context.queues.size).toBe(0);
});

test.each(fewOf(['SIGINT', 'SIGTERM', 'SIGQUIT'] as const))(
  'verbs: %s ends tail cleanly and deletes its queue',
  async (signal) => {
    const {home, say, server} = await scene();
    await say('first');
    const {child, ended, saw} = program(home, ['tail', '#general']);
    await saw('first');
    // Node would open a debugger port and say so on standard error.
    child.kill('SIGUSR1');
    await say('second');
    await saw('second');
    child.kill(signal);
    expect(await ended).toMatchObject({code: 0, signal: null, err: ''});
    expect(server.context.queues.size).toBe(0);
  },
);

slowTest('verbs: interrupted verbs end with the exit code that shells expect', async () => {
  const {home, server, meg} = await scene();
  const {queue_id} = await server.as(meg).post('/register', {event_types: ['message']});
  const {child, ended} = program(home, ['api', 'GET', '/events', `queue_id=${queue_id}`, 'last_event_id=-1']);
  await expect.poll(() => server.context.queues.find(queue_id, meg.id)?.isWaiting).toBe(true);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({code: 130, out: '', err: ''});
});

slowTest('verbs: a pipe gets no colours, and --version loads no network code', async () => {
  const {home, say} = await scene();
  await say('plain');
  expect((await program(home, ['read', '#general']).ended).out).not.toContain('\u001b');
  expect((await program(home, ['read', '#general', '--color', 'always']).ended).out).toContain('\u001b[');
  const line = 'NODE_DEBUG=esm $PARLEY --version 2>&1 | grep -c undici';
  expect((await program(home, [], {shell: line}).ended).out).toBe('0\n');
});

slowTest('verbs: help is printed for every spelling', async () => {
  const {home} = await scene();
  const [overview, byFlag, byWord] = await Promise.all(
    [['--help'], ['send', '--help'], ['help', 'send']].map((argv) => program(home, argv).ended),
  );
  expect(overview).toMatchObject({code: 0, out: expect.stringContaining('parley send')});
  expect(byFlag).toMatchObject({code: 0, out: expect.stringContaining('--queue'), err: ''});
  expect(byWord).toEqual(byFlag);
});

slowTest('verbs: help prints a chapter of the manual, also when a verb has the same name', async () => {
  const {home} = await scene();
  const [keys, unknown] = await Promise.all(
    [
      ['help', 'keys'],
      ['help', 'nope'],
    ].map((argv) => program(home, argv).ended),
  );
  expect(keys).toMatchObject({code: 0, out: expect.stringMatching(/^Keys\n[\s\S]*Ctrl-G +Go to /), err: ''});
  expect(unknown).toMatchObject({code: 2, out: '', err: expect.stringContaining('Topics: keys, views, command-line')});
});

slowTest('verbs: in a terminal help shows the chapter in the pager, at the width of the terminal', async () => {
  const home = scratchDirectory();
  const start = join(import.meta.dirname, '../../src/parley.js');
  const terminal = openTerminal(process.execPath, [start, 'help', 'serving'], {
    size: {cols: 60, rows: 12},
    env: {PATH: process.env.PATH, HOME: home, PAGER: 'sed "s/^/> /" | head -5'},
  });
  await terminal.waitFor("> Parley contains a server that speaks Zulip's API. The demo");
});
