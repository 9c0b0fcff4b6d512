import {expect, test} from 'vitest';
import {openPlain, type PlainOptions} from '#cli/plain/open-plain.ts';
import {stage} from '#test/cli/verb-stage.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';

const usual: PlainOptions = {place: undefined, isTriage: false, isExploring: false, isReadOnly: false};

async function harbour() {
  const server = await testServer();
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const channelId = server.people.channel('general', [meg, otto]);
  const says = async (topic: string, content: string): Promise<number> =>
    (await server.as(otto).post('/messages', {type: 'stream', to: channelId, topic, content})).id;
  const {home} = stage(server, meg);
  /** What Meg's client says to these lines. */
  const talk = async (lines: readonly string[], options: Partial<PlainOptions> = {}) => {
    const io = testIo({home, random: Math.random, input: lines.map((line) => `${line}\n`).join('')});
    expect(await openPlain({...usual, ...options}, io)).toBe(0);
    return io.out().split('\n');
  };
  const unread = async () => (await server.as(meg).post('/register', {})).unread_msgs.streams;
  return {server, meg, otto, says, talk, unread, channelId};
}

test('the inbox is a numbered list, and a number reads what is unread there', async () => {
  const {says, talk, unread} = await harbour();
  await says('boats', 'the tide is in');
  await says('lunch', 'soup?\nor bread');
  const lines = await talk(['1', 'quit']);
  expect(lines[0]).toBe('2 conversations are unread:');
  expect(lines.filter((line) => /^[12]\. 1 unread in #general > (boats|lunch)$/.test(line))).toHaveLength(2);
  const at = lines.findIndex((line) => line.startsWith('1 of 2: 1 unread in #general > lunch'));
  expect(lines[at + 1]).toMatch(/^1\. Otto, \d+:\d\d [AP]M: soup\?$/);
  expect(lines[at + 2]).toBe('   or bread');
  // To read is not to mark as read.
  expect(await unread()).toHaveLength(2);
});

test('triage goes on with done, and undo brings it back exactly', async () => {
  const {says, talk, unread} = await harbour();
  const second = await says('lunch', 'two');
  const first = await says('boats', 'one');
  const lines = await talk(['done', 'done', 'undo', 'quit'], {isTriage: true});
  expect(lines[0]).toBe('1 of 2: 1 unread in #general > boats');
  expect(lines).toContain('Marked #general > boats read (1). “undo” takes it back.');
  expect(lines).toContain('1 of 1: 1 unread in #general > lunch');
  expect(lines).toContain('Undone: Marked #general > lunch read (1)');
  const left = await unread();
  expect(left.flatMap((row: {unread_message_ids: number[]}) => row.unread_message_ids)).toEqual([second]);
  expect(second).toBeLessThan(first);
});

test('a reply is sent, marks what it answers read, and goes on', async () => {
  const {server, meg, says, talk, unread, channelId} = await harbour();
  await says('boats', 'who is out?');
  const lines = await talk(['reply nobody, it is raining', 'quit'], {isTriage: true});
  expect(lines).toContain('Sent to #general > boats.');
  const narrow = [
    {operator: 'channel', operand: channelId},
    {operator: 'sender', operand: meg.id},
  ];
  const {messages} = await server
    .as(meg)
    .get('/messages', {narrow, anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false});
  expect(messages).toMatchObject([{subject: 'boats', content: 'nobody, it is raining'}]);
  expect(await unread()).toEqual([]);
});

test('longer texts end with a dot, and a dot alone sends nothing', async () => {
  const {server, otto, talk, meg} = await harbour();
  const lines = await talk(['write @Otto', 'one', 'two', '.', 'write @Otto', '.', 'quit']);
  expect(lines).toContain('Sent to Otto.');
  expect(lines).toContain('Nothing was sent.');
  const narrow = [{operator: 'dm', operand: [meg.id]}];
  const {messages} = await server
    .as(otto)
    .get('/messages', {narrow, anchor: 'newest', num_before: 5, num_after: 0, apply_markdown: false});
  expect(messages).toMatchObject([{content: 'one\ntwo'}]);
});

test('menus are answered with numbers', async () => {
  const {says, talk} = await harbour();
  await says('boats', 'later, perhaps');
  const lines = await talk(['later', 'what', '4', 'quit'], {isTriage: true});
  expect(lines).toContain('Later: #general > boats:');
  expect(lines).toContain('4. With the next message');
  expect(lines).toContain('Answer with a number, or “back”.');
  expect(lines.at(-2)).toBe('Nothing is unread.');
});

test('what is no command is said, and what is nearly one is offered', async () => {
  const {talk} = await harbour();
  const lines = await talk(['xyzzy', 'combined feed', '1', 'quit']);
  expect(lines).toContain('There is no command “xyzzy”. “help” lists them.');
  expect(lines).toContain('1. Combined feed');
  expect(lines).toContain('Combined feed:');
});

test('a read-only session changes nothing', async () => {
  const {says, talk, unread} = await harbour();
  await says('boats', 'stay');
  const lines = await talk(['done', 'reply no', 'quit'], {isTriage: true, isReadOnly: true});
  expect(lines.join('\n')).toContain('read-only');
  expect(await unread()).toHaveLength(1);
});
