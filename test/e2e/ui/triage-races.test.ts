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

/** The ids that are unread in a topic of the harbour. */
async function unreadIn({server, meg}: TwoUserFixture, topic: string): Promise<readonly number[]> {
  const narrow = [
    {operator: 'topic', operand: topic},
    {operator: 'is', operand: 'unread'},
  ];
  const {messages} = await server.as(meg).get('/messages', {narrow, anchor: 'oldest', num_after: 100});
  return messages.map(({id}: {id: number}) => id);
}

test.each(triageSizes)(
  'what arrives between the picture and the e key, or Space at the end, stays unread, at $cols x $rows',
  async (size) => {
    const {stage, terminal, before, direct, topics} = await crowdedInbox(4, {size});
    const [topic0 = 0, topic1 = 0, topic2 = 0, topic3 = 0] = topics;
    await waitForCursorOn(terminal, 'Otto Other');
    let told = 0;
    await terminal.held(async () => {
      told = await stage.tell(stage.otto, stage.meg, 'You have not seen this.');
      terminal.keys('e');
    });
    await waitForCursorOn(terminal, 'topic 3');
    await waitForUnread(stage, [...without(before, direct), told]);
    // What is done goes to the server in order: whatever else the first key marked would be read by then.
    terminal.keys('e');
    await waitForCursorOn(terminal, 'topic 2');
    await waitForUnread(stage, [...without(before, direct, topic3), told]);

    await terminal.waitFor(/word 2.*── end/s);
    let said = 0;
    await terminal.held(async () => {
      said = await stage.say(stage.otto, 'topic 2', 'Nor this.');
      terminal.keys('Space');
    });
    await waitForCursorOn(terminal, 'topic 1');
    await waitForUnread(stage, [...without(before, direct, topic3, topic2), told, said]);
    terminal.keys('e');
    await waitForCursorOn(terminal, 'topic 0');
    terminal.keys('e');
    await waitForUnread(stage, [...without(before, direct, topic3, topic2, topic1, topic0), told, said]);
  },
);

test('a whole channel is done without what arrives between the picture and the X key', async () => {
  const {stage, terminal, before, direct} = await crowdedInbox(4);
  terminal.keys('j');
  await waitForCursorOn(terminal, 'topic 3');
  const unseen: number[] = [];
  await terminal.held(async () => {
    unseen.push(await stage.say(stage.otto, 'topic 2', 'You have not seen this.'));
    unseen.push(await stage.say(stage.otto, 'news', 'Nor that.'));
    terminal.keys('X');
  });
  await waitForUnread(stage, [direct, ...unseen]);
  await terminal.waitFor(({text}) => text.includes('topic 2') && text.includes('news'), 'both unread topics');
  terminal.keys('z');
  await waitForUnread(stage, [...before, ...unseen]);
});

test.each([
  {key: 'E', size: wideSize},
  {key: 'E', size: usualSize},
  {key: 'Space', size: usualSize},
])('in a conversation, too: the $key key leaves unread what was not shown yet', async ({key, size}) => {
  const stage = await twoUserFixture();
  const {server, meg, otto} = stage;
  const elsewhere = await unreadIn(stage, 'ropes');
  await server.as(meg).post('/messages/flags', {messages: elsewhere, op: 'add', flag: 'read'});
  const shown = await unreadIn(stage, 'tides');
  const direct = without(await stage.unread(meg), ...shown);
  const terminal = stage.open(meg, {size, args: [tides]});
  await terminal.waitFor('see you at the quay');
  await waitForUnread(stage, direct);
  let unseen = 0;
  await terminal.held(async () => {
    unseen = await stage.say(otto, 'tides', 'You have not seen this.');
    terminal.keys(key);
  });
  await terminal.waitFor(({lines}) => (lines[0] ?? '').includes('Otto Other'), 'the next conversation');
  // It is read by being shown, after whatever the key marked.
  await waitForUnread(stage, [unseen]);
});

/** What happens elsewhere in the moment before the key. */
const moments: readonly {
  readonly what: string;
  readonly happens: (stage: TwoUserFixture, id: number) => Promise<unknown>;
}[] = [
  {
    what: 'is read elsewhere',
    happens: ({server, meg}, id) =>
      server.as(meg).post('/messages/flags', {messages: [id], op: 'add', flag: 'read'}),
  },
  {
    what: 'gets another name',
    happens: ({server, otto}, id) =>
      server.as(otto).patch(`/messages/${id}`, {topic: 'renamed', propagate_mode: 'change_all'}),
  },
  {
    what: 'is muted elsewhere',
    happens: ({server, meg}) =>
      server.as(meg).post('/user_topics', {stream_id: 1, topic: 'topic 1', visibility_policy: 1}),
  },
  {
    what: 'is pushed down by something more important',
    happens: ({server, otto, meg}) =>
      server
        .as(otto)
        .post('/messages', {type: 'direct', to: [meg.id], content: 'Now!', read_by_sender: true}),
  },
];

test.each(moments)(
  'a key that comes as the row under the cursor $what hits no other row',
  async ({happens}) => {
    const {stage, terminal, before, topics} = await crowdedInbox(3, {size: usualSize});
    const [, meant = 0] = topics;
    terminal.keys('j', 'j');
    await waitForCursorOn(terminal, 'topic 1');
    await terminal.held(async () => {
      await happens(stage, meant);
      terminal.keys('e');
    });
    await waitForCursorOn(terminal, 'topic 0');
    await terminal.waitFor('word 0');
    const came = without(await stage.unread(stage.meg), ...before);
    await waitForUnread(stage, [...without(before, meant), ...came]);
    terminal.keys('e');
    await waitForUnread(stage, [...without(before, meant, topics[0]), ...came]);
  },
);

test.each([wideSize, usualSize])(
  'whatever comes or goes above it, the cursor stays with its conversation, at $cols x $rows',
  async (size) => {
    const {stage, terminal, before, topics} = await crowdedInbox(3, {size});
    const {server, meg, otto} = stage;
    terminal.keys('j', 'j');
    await waitForCursorOn(terminal, 'topic 1');
    const alarm = await stage.say(otto, 'alarm', '@**Meg Member** come quickly');
    await waitForInboxCount(terminal, 7);
    await waitForCursorOn(terminal, 'topic 1');
    await server.as(meg).post('/messages/flags', {messages: [topics[2]], op: 'add', flag: 'read'});
    await waitForInboxCount(terminal, 6);
    await waitForCursorOn(terminal, 'topic 1');
    terminal.keys('e');
    await waitForUnread(stage, [...without(before, topics[1], topics[2]), alarm]);
  },
);

test('a start from the disk begins with what matters most once the server has answered', async () => {
  const {stage, terminal, home, before} = await crowdedInbox(2);
  await quit(terminal);
  const alarm = await stage.say(stage.otto, 'alarm', '@**Meg Member** come quickly');
  const again = stage.open(stage.meg, {size: wideSize, home});
  await waitForCursorOn(again, 'alarm');
  again.keys('e');
  await waitForCursorOn(again, 'Otto');
  await waitForUnread(stage, without([...before, alarm], alarm));
});
