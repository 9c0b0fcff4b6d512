import {expect, test} from 'vitest';
import type {ApiClient} from '#test/support/api-client.ts';
import {scratchDirectory} from '#test/support/scratch.ts';
import {ServeProcess} from '#test/support/serve-process.ts';
import {openParley} from '#test/support/terminal/parley.ts';
import type {Terminal} from '#test/support/terminal/terminal.ts';
import {currentLevel} from '#wire/levels.ts';
import {type Harbour, harbour} from './harbour.ts';

const size = {cols: 120, rows: 40};

/** Many topics with one message each, and the inbox of somebody who has read none of them. */
async function crowded(count: number): Promise<{stage: Harbour; terminal: Terminal; home: string}> {
  const stage = await harbour();
  for (let at = 0; at < count; at++) await stage.say(stage.otto, `topic ${at}`, `word ${at}`);
  const home = scratchDirectory();
  const terminal = stage.open(stage.meg, {size, home});
  await inboxOf(terminal, count + 3);
  return {stage, terminal, home};
}

async function inboxOf(terminal: Terminal, count: number): Promise<void> {
  await terminal.waitFor(({text}) => text.includes(`${count} conversations`), `${count} conversations`);
}

async function unreadBecomes(stage: Harbour, ids: readonly number[]): Promise<void> {
  await expect.poll(() => stage.unread(stage.meg), {timeout: 20_000}).toEqual(ids);
}

test('a hundred conversations are done with a hundred keys, and a hundred more bring back exactly what was unread', async () => {
  const {stage, terminal} = await crowded(100);
  const before = await stage.unread(stage.meg);
  expect(before.length).toBeGreaterThan(100);
  for (let at = 0; at < 100; at++) terminal.keys('e');
  await inboxOf(terminal, 3);
  await expect.poll(async () => (await stage.unread(stage.meg)).length, {timeout: 20_000}).toBeLessThan(10);
  for (let at = 0; at < 100; at++) terminal.keys('z');
  await inboxOf(terminal, 103);
  await unreadBecomes(stage, before);
});

test('everything is done with one write, key by key', async () => {
  const {stage, terminal} = await crowded(20);
  terminal.write('e'.repeat(23));
  await terminal.waitFor('Inbox zero');
  await unreadBecomes(stage, []);
});

test('what was done is done after a kill, and can still be undone', async () => {
  const {stage, terminal, home} = await crowded(10);
  const before = await stage.unread(stage.meg);
  terminal.keys('e', 'e', 'e', 'e');
  await inboxOf(terminal, 9);
  await expect
    .poll(async () => (await stage.unread(stage.meg)).length, {timeout: 20_000})
    .toBeLessThan(before.length);
  terminal.kill('SIGKILL');
  const again = stage.open(stage.meg, {size, home});
  await inboxOf(again, 9);
  again.keys('z', 'z', 'z', 'z');
  await inboxOf(again, 13);
  await unreadBecomes(stage, before);
});

test("two programs on one account do not get into each other's way", async () => {
  const {stage, terminal} = await crowded(12);
  const before = await stage.unread(stage.meg);
  const other = stage.open(stage.meg, {size, home: scratchDirectory()});
  await inboxOf(other, 15);
  terminal.keys('e', 'e', 'e', 'e', 'e');
  other.keys('G', 'k', 'k', 'e', 'e');
  for (const one of [terminal, other]) {
    await one.waitFor(
      ({text}) => /\b[89] conversations|\b10 conversations/.test(text),
      'fewer conversations',
    );
  }
  await expect
    .poll(async () => (await stage.unread(stage.meg)).length, {timeout: 20_000})
    .toBeLessThan(before.length - 5);
  terminal.keys('z', 'z', 'z', 'z', 'z');
  other.keys('z', 'z');
  await unreadBecomes(stage, before);
});

test('the server is killed and comes back: what was done meanwhile arrives', async () => {
  const directory = scratchDirectory();
  const server = await ServeProcess.start({directory, level: currentLevel});
  try {
    const meg = await server.person('Meg Member');
    const otto = await server.person('Otto Other');
    await server.channel('harbour', [meg, otto]);
    await server.as(meg).patch('/settings', {enter_sends: true});
    const say = (client: ApiClient, topic: string) =>
      client.post('/messages', {type: 'stream', to: 'harbour', topic, content: `about ${topic}`});
    for (let at = 0; at < 6; at++) await say(server.as(otto), `topic ${at}`);
    const terminal = openParley({server, person: meg, size});
    const unread = async () => {
      const narrow = [{operator: 'is', operand: 'unread'}];
      const {messages} = await server.as(meg).get('/messages', {narrow, anchor: 'oldest', num_after: 100});
      return messages.map(({subject}: {subject: string}) => subject);
    };
    await terminal.waitFor('topic 0');
    const before = await unread();
    terminal.keys('e');
    await server.kill();
    terminal.keys('e', 'e');
    await terminal.waitFor(/triage 3\/\d/);
    await server.start();
    await expect.poll(async () => (await unread()).length, {timeout: 40_000}).toBe(before.length - 3);
    terminal.keys('z', 'z', 'z');
    await expect.poll(unread, {timeout: 20_000}).toEqual(before);
  } finally {
    await server.kill();
  }
});

test('a message that arrives while one looks elsewhere stays unread', async () => {
  const {stage, terminal} = await crowded(3);
  terminal.keys('j', 'j');
  await terminal.waitFor('word 1');
  terminal.write('\x1b[O');
  const id = await stage.say(stage.otto, 'topic 1', 'you have not seen this');
  await terminal.waitFor('you have not seen this');
  expect(await stage.unread(stage.meg)).toContain(id);
});
