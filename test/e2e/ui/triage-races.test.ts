import {test} from 'vitest';
import {fewOf, slowTest} from '#test/support/tier.ts';
import {crowdedInbox, waitForCursorOn, waitForInboxCount, waitForUnread, wideSize, without} from './triage-fixture.ts';
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

test('inbox: a message that arrives between paint and e, or Space at the end, stays unread', async () => {
  const {chat, terminal, before, direct, topics} = await crowdedInbox(4, {size: usualSize});
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
});

slowTest.each(fewOf(['e', 'Space']))(
  'messages: a message that arrives between paint and %s stays unread',
  async (key) => {
    const chat = await twoUserFixture();
    const {server, meg, otto} = chat;
    const elsewhere = await unreadIn(chat, 'ropes');
    await server.as(meg).post('/messages/flags', {messages: elsewhere, op: 'add', flag: 'read'});
    const shown = await unreadIn(chat, 'tides');
    const direct = without(await chat.unread(meg), ...shown);
    const terminal = chat.open(meg, {size: usualSize, args: [tides]});
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
  },
);

slowTest('inbox: e applies to no other row when the row under the cursor is renamed before the key', async () => {
  const {chat, terminal, before, topics} = await crowdedInbox(3, {size: usualSize});
  const [topic0, targetId = 0] = topics;
  terminal.keys('j', 'j');
  await waitForCursorOn(terminal, 'topic 1');
  await terminal.held(async () => {
    const rename = {topic: 'renamed', propagate_mode: 'change_all'};
    await chat.server.as(chat.otto).patch(`/messages/${targetId}`, rename);
    terminal.keys('e');
  });
  await waitForCursorOn(terminal, 'topic 0');
  await terminal.waitFor('word 0');
  const arrived = without(await chat.unread(chat.meg), ...before);
  await waitForUnread(chat, [...without(before, targetId), ...arrived]);
  terminal.keys('e');
  await waitForUnread(chat, [...without(before, targetId, topic0), ...arrived]);
});

slowTest('inbox: the cursor stays on its conversation when rows above it appear or disappear', async () => {
  const {chat, terminal, before, topics} = await crowdedInbox(3, {size: usualSize});
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
});

slowTest(
  'inbox: a start from saved data has the cursor on the most important row after the first response',
  async () => {
    const {chat, terminal, home, before} = await crowdedInbox(2);
    await quit(terminal);
    const alarm = await chat.sendToTopic(chat.otto, 'alarm', '@**Meg Member** come quickly');
    const again = chat.open(chat.meg, {size: wideSize, home});
    await waitForCursorOn(again, 'alarm');
    again.keys('e');
    await waitForCursorOn(again, 'Otto');
    await waitForUnread(chat, without([...before, alarm], alarm));
  },
);
