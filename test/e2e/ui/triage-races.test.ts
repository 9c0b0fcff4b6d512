import {test} from 'vitest';
import {
  crowdedInbox,
  triageSizes,
  waitForCursorOn,
  waitForInboxCount,
  waitForUnread,
  wideSize,
  without,
} from './triage-fixture.ts';
import {quit, type TwoUserFixture, tides, twoUserFixture, usualSize} from './two-user-fixture.ts';

/** Returns the unread message ids of a topic. */
async function unreadIn({server, meg}: TwoUserFixture, topic: string): Promise<readonly number[]> {
  const narrow = [
    {operator: 'topic', operand: topic},
    {operator: 'is', operand: 'unread'},
  ];
  const {messages} = await server.as(meg).get('/messages', {narrow, anchor: 'oldest', num_after: 100});
  return messages.map(({id}: {id: number}) => id);
}

test.each(triageSizes)(
  'inbox: a message that arrives between paint and e, or Space at the end, stays unread, at $cols x $rows',
  async (size) => {
    const {chat, terminal, before, direct, topics} = await crowdedInbox(4, {size});
    const [topic0 = 0, topic1 = 0, topic2 = 0, topic3 = 0] = topics;
    await waitForCursorOn(terminal, 'Otto Other');
    let lateDirect = 0;
    await terminal.held(async () => {
      lateDirect = await chat.sendDirect(chat.otto, chat.meg, 'You have not seen this.');
      terminal.keys('e');
    });
    await waitForCursorOn(terminal, 'topic 3');
    await waitForUnread(chat, [...without(before, direct), lateDirect]);
    // Changes reach the server in order: anything else that the first key marked would be read by then.
    terminal.keys('e');
    await waitForCursorOn(terminal, 'topic 2');
    await waitForUnread(chat, [...without(before, direct, topic3), lateDirect]);

    await terminal.waitFor(/word 2.*── end/s);
    let lateInTopic = 0;
    await terminal.held(async () => {
      lateInTopic = await chat.sendToTopic(chat.otto, 'topic 2', 'Nor this.');
      terminal.keys('Space');
    });
    await waitForCursorOn(terminal, 'topic 1');
    await waitForUnread(chat, [...without(before, direct, topic3, topic2), lateDirect, lateInTopic]);
    terminal.keys('e');
    await waitForCursorOn(terminal, 'topic 0');
    terminal.keys('e');
    await waitForUnread(chat, [...without(before, direct, topic3, topic2, topic1, topic0), lateDirect, lateInTopic]);
  },
);

test('inbox: a message that arrives between paint and X stays unread', async () => {
  const {chat, terminal, before, direct} = await crowdedInbox(4);
  terminal.keys('j');
  await waitForCursorOn(terminal, 'topic 3');
  const unseen: number[] = [];
  await terminal.held(async () => {
    unseen.push(await chat.sendToTopic(chat.otto, 'topic 2', 'You have not seen this.'));
    unseen.push(await chat.sendToTopic(chat.otto, 'news', 'Nor that.'));
    terminal.keys('X');
  });
  await waitForUnread(chat, [direct, ...unseen]);
  await terminal.waitFor(({text}) => text.includes('topic 2') && text.includes('news'), 'both unread topics');
  terminal.keys('z');
  await waitForUnread(chat, [...before, ...unseen]);
});

test.each([
  {key: 'E', size: wideSize},
  {key: 'E', size: usualSize},
  {key: 'Space', size: usualSize},
])('messages: a message that arrives between paint and $key stays unread', async ({key, size}) => {
  const chat = await twoUserFixture();
  const {server, meg, otto} = chat;
  const elsewhere = await unreadIn(chat, 'ropes');
  await server.as(meg).post('/messages/flags', {messages: elsewhere, op: 'add', flag: 'read'});
  const shown = await unreadIn(chat, 'tides');
  const direct = without(await chat.unread(meg), ...shown);
  const terminal = chat.open(meg, {size, args: [tides]});
  await terminal.waitFor('see you at the quay');
  await waitForUnread(chat, direct);
  let unseen = 0;
  await terminal.held(async () => {
    unseen = await chat.sendToTopic(otto, 'tides', 'You have not seen this.');
    terminal.keys(key);
  });
  await terminal.waitFor(({lines}) => (lines[0] ?? '').includes('Otto Other'), 'the next conversation');
  // The next conversation becomes read by being shown, after the messages that the key marked.
  await waitForUnread(chat, [unseen]);
});

/** Changes by other clients between paint and key. */
const changes: readonly {
  readonly what: string;
  readonly apply: (chat: TwoUserFixture, id: number) => Promise<unknown>;
}[] = [
  {
    what: 'is read elsewhere',
    apply: ({server, meg}, id) => server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'read'}),
  },
  {
    what: 'is renamed',
    apply: ({server, otto}, id) =>
      server.as(otto).patch(`/messages/${id}`, {topic: 'renamed', propagate_mode: 'change_all'}),
  },
  {
    what: 'is muted elsewhere',
    apply: ({server, meg}) =>
      server.as(meg).post('/user_topics', {stream_id: 1, topic: 'topic 1', visibility_policy: 1}),
  },
  {
    what: 'is moved down by a more important one',
    apply: ({server, otto, meg}) =>
      server.as(otto).post('/messages', {type: 'direct', to: [meg.id], content: 'Now!', read_by_sender: true}),
  },
];

test.each(changes)(
  'inbox: e applies to no other row when the row under the cursor $what before the key',
  async ({apply}) => {
    const {chat, terminal, before, topics} = await crowdedInbox(3, {size: usualSize});
    const [, targetId = 0] = topics;
    terminal.keys('j', 'j');
    await waitForCursorOn(terminal, 'topic 1');
    await terminal.held(async () => {
      await apply(chat, targetId);
      terminal.keys('e');
    });
    await waitForCursorOn(terminal, 'topic 0');
    await terminal.waitFor('word 0');
    const arrived = without(await chat.unread(chat.meg), ...before);
    await waitForUnread(chat, [...without(before, targetId), ...arrived]);
    terminal.keys('e');
    await waitForUnread(chat, [...without(before, targetId, topics[0]), ...arrived]);
  },
);

test.each([wideSize, usualSize])(
  'inbox: the cursor stays on its conversation when rows above it appear or disappear, at $cols x $rows',
  async (size) => {
    const {chat, terminal, before, topics} = await crowdedInbox(3, {size});
    const {server, meg, otto} = chat;
    terminal.keys('j', 'j');
    await waitForCursorOn(terminal, 'topic 1');
    const alarm = await chat.sendToTopic(otto, 'alarm', '@**Meg Member** come quickly');
    await waitForInboxCount(terminal, 7);
    await waitForCursorOn(terminal, 'topic 1');
    await server.as(meg).post('/messages/flags', {messages: [topics[2]], op: 'add', flag: 'read'});
    await waitForInboxCount(terminal, 6);
    await waitForCursorOn(terminal, 'topic 1');
    terminal.keys('e');
    await waitForUnread(chat, [...without(before, topics[1], topics[2]), alarm]);
  },
);

test('inbox: a start from saved data has the cursor on the most important row after the first response', async () => {
  const {chat, terminal, home, before} = await crowdedInbox(2);
  await quit(terminal);
  const alarm = await chat.sendToTopic(chat.otto, 'alarm', '@**Meg Member** come quickly');
  const again = chat.open(chat.meg, {size: wideSize, home});
  await waitForCursorOn(again, 'alarm');
  again.keys('e');
  await waitForCursorOn(again, 'Otto');
  await waitForUnread(chat, without([...before, alarm], alarm));
});
