import {existsSync, readFileSync, realpathSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {pathsOf} from '#config/paths.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {backend, listFixture, loadedConversations, web} from '#test/ui/lists/list-fixture.ts';
import {newMessageEvent} from '#test/ui/lists/message-event.ts';
import {messagesView} from '#ui/core/frame.ts';
import {commandsFixture, homeWith, shellCommand} from './own-commands-fixture.ts';

/** Runs the command “It” after the question, and returns the app. */
async function ran(line: string, more = '', env: Readonly<Record<string, string>> = {}) {
  const home = homeWith({'commands.toml': shellCommand(line, more)});
  const fixture = await commandsFixture(home, env);
  fixture.run('own.it');
  fixture.yes();
  const file = (name: string) => join(home, name);
  return {
    ...fixture,
    home,
    file,
    read: (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : ''),
  };
}

/** Waits until the toast is this. */
const toast = (fixture: {toast: () => string | undefined}, expected: string | RegExp) =>
  typeof expected === 'string'
    ? expect.poll(fixture.toast, {timeout: 30_000}).toBe(expected)
    : expect.poll(fixture.toast, {timeout: 30_000}).toMatch(expected);

test('own command: the message is on standard input as JSON, and its place in the environment', async () => {
  const fixture = await ran('cat > input; env > variables; echo done', '', {
    PARLEY_SMTP: 'smtp://user:secret@example.com',
    ZULIP_CONFIG: '/secret/zuliprc',
    MY_OWN: 'stays',
  });
  await toast(fixture, 'done');
  const input = JSON.parse(fixture.read('input'));
  expect(input).toMatchObject({
    view: {kind: 'messages'},
    message: {id: 4, conversation: {channel: 'web', topic: 'css'}},
    messages: [{id: 4}],
    selection: [{to: '#web>css'}],
  });
  const variables = fixture.read('variables').split('\n');
  expect(variables).toEqual(
    expect.arrayContaining([
      'MY_OWN=stays',
      'PARLEY_MESSAGE_ID=4',
      'PARLEY_CHANNEL=web',
      'PARLEY_TOPIC=css',
      'PARLEY_CONVERSATION=#web>css',
    ]),
  );
  expect(variables.join()).not.toContain('secret');
});

test('own command: output goes to a toast on one line, without control characters', async () => {
  await toast(await ran('printf "one\\ntwo \\033[31mred\\007"'), 'one two [31mred');
  await toast(await ran('true'), '“It” is done');
  await toast(await ran('echo words', 'output = "nothing"'), '“It” is done');
});

test('own command: output goes to a pager, which opens at once', async () => {
  const fixture = await ran('printf "first\\nsecond \\033]0;title\\007line\\n"', 'output = "pager"');
  const {app} = fixture;
  expect(app.screen.overlays.at(-1)).toMatchObject({kind: 'card', card: {title: 'It'}});
  await expect.poll(() => overlayText(app.frame).join('\n'), {timeout: 30_000}).toContain('second ]0;titleline');
});

test('own command: each run has its own output in the pager', async () => {
  const fixture = await ran('echo x >> runs; wc -l < runs', 'output = "pager"');
  const card = () => overlayText(fixture.app.frame).join('\n');
  await expect.poll(card, {timeout: 30_000}).toMatch(/\b1\b/);
  fixture.press('Esc');
  fixture.clock.advance(1000);
  fixture.run('own.it');
  await expect.poll(card, {timeout: 30_000}).toMatch(/\b2\b/);
});

test('own command: the program of an open pager does not run again when the screen is drawn again', async () => {
  const fixture = await ran('echo x >> runs; wc -l < runs', 'output = "pager"');
  const card = () => overlayText(fixture.app.frame).join('\n');
  await expect.poll(card, {timeout: 30_000}).toMatch(/\b1\b/);
  fixture.press('Ctrl-l', 'Esc');
  fixture.clock.advance(1000);
  fixture.run('own.it');
  await expect.poll(card, {timeout: 30_000}).toMatch(/\b2\b/);
});

test('own command: a pager says that the program printed nothing but blank lines', async () => {
  const fixture = await ran('echo; echo " "', 'output = "pager"');
  const card = () => overlayText(fixture.app.frame).join('\n');
  await expect.poll(card, {timeout: 30_000}).toContain('The program printed nothing.');
});

test('own command: without output nothing is inserted into the composer, and that is said', async () => {
  const fixture = await ran('echo', 'output = "composer"');
  await toast(fixture, '“It” printed nothing');
  expect(fixture.app.screen.composer.field.text).toBe('');
});

test('own command: output is inserted into the composer and not sent', async () => {
  const fixture = await ran('echo "as *translated*"; echo twice', 'output = "composer"');
  await toast(fixture, 'Inserted the output of “It”');
  const {composer} = fixture.app.screen;
  expect(composer.field.text).toBe('as *translated*\ntwice');
  expect(composer.target).toMatchObject({kind: 'topic', topic: 'css'});
  expect(fixture.app.state.outbox).toEqual([]);
});

test('own command: output is on lines of its own in a message that has text', async () => {
  const fixture = await ran('while [ ! -e go ]; do sleep 0.05; done; echo hint', 'output = "composer"');
  fixture.type('see');
  writeFileSync(fixture.file('go'), '');
  await toast(fixture, 'Inserted the output of “It”');
  fixture.type('more');
  expect(fixture.app.screen.composer.field.text).toBe('see\nhint\nmore');
});

test('own command: output for a composer that the user has left is copied, and goes into no other message', async () => {
  const fixture = await ran('while [ ! -e go ]; do sleep 0.05; done; echo late', 'output = "composer"');
  openView(fixture.app, messagesView(topicNarrow(backend, 'deploy')));
  fixture.press('r');
  writeFileSync(fixture.file('go'), '');
  await toast(fixture, /^You left the message, so the output is not inserted/);
  expect(fixture.app.screen.composer.field.text).toBe('');
  expect(fixture.deviceCalls).toContainEqual(['copy', 'late']);
});

test('own command: output for a composer that the user has closed is copied, and is in no draft', async () => {
  const fixture = await ran('while [ ! -e go ]; do sleep 0.05; done; echo late', 'output = "composer"');
  fixture.press('Esc');
  writeFileSync(fixture.file('go'), '');
  await toast(fixture, /^You left the message, so the output is not inserted/);
  expect(fixture.app.screen.composer.field.text).toBe('');
  expect(fixture.session.drafts.all()).toEqual([]);
});

test('own command: with needs = "conversation" the loaded messages come as text with their senders, one alone without', async () => {
  const more = 'needs = "conversation"\ninput = "text"';
  const home = homeWith({'commands.toml': shellCommand('cat > input; echo done', more)});
  const fixture = await commandsFixture(home);
  const input = async (topic: string) => {
    openView(fixture.app, messagesView(topicNarrow(backend, topic)));
    fixture.run('own.it');
    if (fixture.app.screen.overlays.length > 0) fixture.yes();
    await toast(fixture, 'done');
    fixture.app.toast('read');
    return readFileSync(join(home, 'input'), 'utf8');
  };
  const texts = fixture.app.state.messages.byId;
  const [first, second, log] = [1, 2, 3].map((id) => texts.get(id)?.content);
  expect(await input('deploy')).toBe(`Bo Wu: ${first}\nBo Wu: ${second}\n`);
  expect(await input('logs')).toBe(`${log}\n`);
});

test('own command: with needs = "conversation" the last 200 of its loaded messages come', async () => {
  const home = homeWith({'commands.toml': shellCommand('cat > input; echo done', 'needs = "conversation"')});
  const fixture = await commandsFixture(home);
  const ids = Array.from({length: 201}, (_, at) => 100 + at);
  fixture.session.cache.apply(...ids.map((id) => newMessageEvent({id, channelId: web, topic: 'css'})));
  fixture.run('own.it');
  fixture.yes();
  await toast(fixture, 'done');
  const {messages} = JSON.parse(readFileSync(join(home, 'input'), 'utf8'));
  expect(messages.map(({id}: {id: number}) => id)).toEqual(ids.slice(1));
});

test('own command: one that needs nothing runs without a message or a conversation, and gets none', async () => {
  const home = homeWith({'commands.toml': shellCommand('cat > input; echo done', 'needs = "nothing"')});
  const fixture = await commandsFixture(home);
  openView(fixture.app, {kind: 'drafts', tab: 'drafts'});
  fixture.run('own.it');
  fixture.yes();
  await toast(fixture, 'done');
  const input = JSON.parse(readFileSync(join(home, 'input'), 'utf8'));
  expect(input).toMatchObject({message: null, messages: [], selection: []});
});

test('own command: in a list the place of the selected conversation is in the environment, and no message', async () => {
  const home = homeWith({
    'commands.toml': shellCommand('env > variables; pwd > folder; echo done', 'needs = "conversation"'),
  });
  const fixture = await commandsFixture(home);
  openView(fixture.app, {kind: 'inbox'});
  fixture.run('own.it');
  fixture.yes();
  await toast(fixture, 'done');
  const variables = readFileSync(join(home, 'variables'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('PARLEY_'));
  expect(variables.toSorted()).toEqual([
    'PARLEY_ACCOUNT=acme',
    'PARLEY_CHANNEL=backend',
    'PARLEY_CONVERSATION=#backend>deploy',
    'PARLEY_ORGANIZATION=acme',
    'PARLEY_TOPIC=deploy',
  ]);
  expect(readFileSync(join(home, 'folder'), 'utf8')).toBe(`${realpathSync(home)}\n`);
});

test('own command: a failure, a missing program and a program that cannot run are sentences', async () => {
  await toast(
    await ran('echo no such ticket >&2; echo more >&2; exit 3'),
    '“It” failed with exit code 3: no such ticket',
  );
  const home = homeWith({
    'commands.toml': '[[command]]\nname = "It"\nrun = ["no-such-program-here"]\n',
    script: 'no script',
  });
  const missing = await commandsFixture(home);
  missing.run('own.it');
  missing.yes();
  await toast(missing, '“It” cannot run: there is no program no-such-program-here');
  const denied = await commandsFixture(
    homeWith({'commands.toml': '[[command]]\nname = "It"\nrun = ["./script"]\n', script: 'no script'}),
  );
  denied.run('own.it');
  denied.yes();
  await toast(denied, /^“It” cannot run: spawn .*EACCES/);
});

test('own command: at its time limit it ends with the programs that it started', async () => {
  const fixture = await ran(
    'trap "" TERM; (trap "" TERM; echo $$ > child; exec sleep 1000) & sleep 1000',
    'seconds = 1',
  );
  await toast(fixture, '“It” was ended after 1 seconds');
  const pid = Number(fixture.read('child'));
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid), {timeout: 30_000}).toBe(false);
});

test('own command: a flood of output ends it, and nothing of it is shown', async () => {
  const fixture = await ran('yes flood', 'output = "composer"');
  await toast(fixture, '“It” was ended, because it printed more than 64 KiB');
  expect(fixture.app.screen.composer.field.text).toBe('');
});

/** How the first run ends; there is a file `ok` for the second one. */
const failures: Readonly<Record<string, [line: string, said: string | RegExp, more?: string]>> = {
  'an exit code': ['exit 3', '“It” failed with exit code 3'],
  'a signal': ['kill -KILL $$', '“It” failed with exit code 1'],
  'its time limit': ['exec sleep 1000', '“It” was ended after 1 seconds', 'seconds = 1'],
  'too much output': ['exec yes flood', '“It” was ended, because it printed more than 64 KiB'],
};

test.each(Object.entries(failures))(
  'own command: after a run that ended with %s it runs again',
  async (_how, [line, said, more]) => {
    const fixture = await ran(`[ -e ok ] && echo fine && exit; touch ok; ${line}`, more);
    await toast(fixture, said);
    fixture.run('own.it');
    await toast(fixture, 'fine');
  },
);

test('own command: one whose program was missing runs once it is there', async () => {
  const home = homeWith({'commands.toml': '[[command]]\nname = "It"\nrun = ["./program"]\n'});
  const fixture = await commandsFixture(home);
  fixture.run('own.it');
  fixture.yes();
  await toast(fixture, /^“It” cannot run: there is no program/);
  writeFileSync(join(pathsOf({}, home).config, 'program'), '#!/bin/sh\necho fine\n', {mode: 0o700});
  fixture.run('own.it');
  await toast(fixture, 'fine');
});

test('own command: one that failed into a pager shows why there, and runs again', async () => {
  const fixture = await ran(
    '[ -e ok ] && echo fine && exit; touch ok; echo no such ticket >&2; exit 3',
    'output = "pager"',
  );
  const card = () => overlayText(fixture.app.frame).join('\n');
  await expect.poll(card, {timeout: 30_000}).toContain('no such ticket');
  fixture.press('Esc');
  fixture.run('own.it');
  await expect.poll(card, {timeout: 30_000}).toContain('fine');
});

test('own command: several run at once, each until its own end, and end with Parley', async () => {
  const line = (name: string) => `echo $$ > ${name}; while [ ! -e go-${name} ]; do sleep 0.02; done; echo ${name} done`;
  const command = (name: string) =>
    `[[command]]\nname = "${name}"\nrun = ["sh", "-c", ${JSON.stringify(line(name))}]\n`;
  const home = homeWith({'commands.toml': ['One', 'Two', 'Three'].map(command).join('')});
  const fixture = await commandsFixture(home);
  const start = async (name: string) => {
    fixture.run(`own.${name.toLowerCase()}`);
    if (fixture.app.screen.overlays.length > 0) fixture.yes();
    await expect.poll(() => existsSync(join(home, name)), {timeout: 30_000}).toBe(true);
  };
  for (const name of ['One', 'Two', 'Three']) await start(name);
  writeFileSync(join(home, 'go-Two'), '');
  await toast(fixture, 'Two done');
  // The end of one says nothing about the others.
  fixture.run('own.one');
  expect(fixture.toast()).toBe('“One” is still running');
  fixture.run('own.two');
  await toast(fixture, 'Two done');
  const pids = ['One', 'Three'].map((name) => Number(readFileSync(join(home, name), 'utf8')));
  fixture.app.end();
  await expect.poll(() => pids.some(isAlive), {timeout: 30_000}).toBe(false);
});

test('own command: it does not run twice at once, and ends with Parley', async () => {
  const fixture = await ran('echo $$ > pid; exec sleep 1000');
  await expect.poll(() => fixture.read('pid'), {timeout: 30_000}).toMatch(/\d/);
  fixture.run('own.it');
  expect(fixture.toast()).toBe('“It” is still running');
  fixture.app.end();
  await expect.poll(() => isAlive(Number(fixture.read('pid'))), {timeout: 30_000}).toBe(false);
});

test('own command: it runs in one account although it still runs in another', async () => {
  const fixture = await ran('echo $$ > pid; exec sleep 1000');
  await expect.poll(() => fixture.read('pid'), {timeout: 30_000}).toMatch(/\d/);
  const first = fixture.read('pid');
  const other = listFixture({...loadedConversations(), view: messagesView(topicNarrow(backend, 'logs'))});
  fixture.router.run(other.app, 'own.it');
  expect(other.toast()).toBe('Running “It”…');
  await expect.poll(() => fixture.read('pid'), {timeout: 30_000}).not.toBe(first);
  // Each ends with its account.
  other.app.end();
  await expect.poll(() => isAlive(Number(fixture.read('pid'))), {timeout: 30_000}).toBe(false);
  expect(isAlive(Number(first))).toBe(true);
  fixture.app.end();
});

test.each([
  ['message', {kind: 'inbox'}, 'Select a message first'],
  ['conversation', {kind: 'drafts', tab: 'drafts'}, 'Select a conversation first'],
] as const)('own command: one that needs a %s is refused without one', async (needs, view, reason) => {
  const fixture = await commandsFixture(homeWith({'commands.toml': shellCommand('true', `needs = "${needs}"`)}));
  openView(fixture.app, view);
  fixture.run('own.it');
  expect(fixture.toast()).toBe(reason);
});

test('own command: its key works among messages if it needs one, else also in lists', async () => {
  const command = (name: string, needs: string) =>
    `[[command]]\nname = "${name}"\nrun = ["true"]\nneeds = "${needs}"\nkey = "Alt-${name}"\n`;
  const home = homeWith({'commands.toml': command('t', 'message') + command('u', 'nothing')});
  const fixture = await commandsFixture(home);
  const asks = (key: string) => {
    fixture.press(key);
    const isAsking = fixture.app.screen.overlays.length > 0;
    if (isAsking) fixture.press('n');
    return [isAsking, fixture.toast()];
  };
  expect([asks('Alt-t')[0], asks('Alt-u')[0]]).toEqual([true, true]);
  openView(fixture.app, {kind: 'inbox'});
  expect(asks('Alt-t')).toEqual([false, 'No key “Alt-t” here — ? for keys']);
  expect(asks('Alt-u')[0]).toBe(true);
});

test('own command: the output is not inserted into a message that is being edited meanwhile', async () => {
  const fixture = await ran('while [ ! -e go ]; do sleep 0.05; done; echo late', 'output = "composer"');
  const {app} = fixture;
  app.setIn('composer', {editing: {messageId: 4, topic: 'css', content: 'hello', prevSha: ''} as never});
  writeFileSync(fixture.file('go'), '');
  await toast(fixture, /^You left the message, so the output is not inserted/);
  expect(app.screen.composer.field.text).toBe('');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
