import {expect, test, vi} from 'vitest';
import {topicRows} from '#state/selectors/lists/conversation-rows.ts';
import {MessageFixtureWriter} from '#test/server/message-fixtures.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {shownConversation} from '#ui/core/frame.ts';
import {messageFixture, untilApp} from './message-fixture.ts';

/** Meg on the second message of `#general › talk`, with a channel `archive` where `existing` topics have a message. */
async function moveFixture(...existing: readonly string[]) {
  const parts = await messageFixture();
  const {fixture, session} = parts;
  const {server, meg, otto} = fixture;
  for (const person of [meg, otto]) {
    await server.as(person).post('/users/me/subscriptions', {subscriptions: [{name: 'archive'}]});
  }
  const {channels} = await waitForState(session, (state) =>
    [...state.channels.values()].some(({name}) => name === 'archive'),
  );
  const archiveId = [...channels.values()].find(({name}) => name === 'archive')?.id ?? 0;
  const archived: number[] = [];
  for (const topic of existing) {
    const args = {type: 'stream', to: archiveId, topic, content: 'old'};
    archived.push((await server.as(otto).post('/messages', args)).id);
  }
  const moved = [await fixture.postMessage('one'), await fixture.postMessage('two')];
  await parts.select(moved[1] ?? 0);
  /** Returns the messages of a topic on the server, without notices. */
  const idsIn = async (channelId: number, topic: string): Promise<readonly number[]> => {
    const narrow = [
      {operator: 'channel', operand: channelId},
      {operator: 'topic', operand: topic},
      {operator: 'sender', operand: otto.id},
    ];
    const args = {anchor: 'oldest', num_before: 0, num_after: 200, narrow};
    const {messages} = await server.as(meg).get('/messages', args);
    return messages.map(({id}: {id: number}) => id);
  };
  return {...parts, archiveId, archived, moved, idsIn};
}

test('move to another channel: # after the prefilled topic chooses the channel, and the topic keeps its name', async () => {
  const {press, type, says, app, archiveId, moved, idsIn} = await moveFixture('talking points');
  press('m');
  await says('Move from #general › talk');
  type('#arch');
  press('Enter');
  expect(await says('new topic')).toMatch(/#archive>talk.*▌talk {2}new topic.* talking points {2}existing topic/s);
  press('Enter');
  expect(await says('Move to #archive › talk')).not.toContain('Merges');
  press('3');
  await says('Moved to #archive › talk · z undo');
  expect(await idsIn(archiveId, 'talk')).toEqual(moved);
  await untilApp(app, () => {
    const shown = shownConversation(app.screen);
    return shown?.kind === 'topic' && shown.channelId === archiveId && shown.topic === 'talk';
  });
});

test('move to another channel: undo moves the topic back as a whole', async () => {
  const {press, type, says, archiveId, moved, idsIn, fixture, app} = await moveFixture();
  press('m');
  type('#arch');
  press('Enter', 'Enter', '3');
  await says('Moved to #archive › talk · z undo');
  press('z');
  await says('Moved back to #general › talk');
  expect(await idsIn(archiveId, 'talk')).toEqual([]);
  expect(await idsIn(fixture.channelId, 'talk')).toEqual(moved);
  await untilApp(app, () => {
    const shown = shownConversation(app.screen);
    return shown?.kind === 'topic' && shown.channelId === fixture.channelId;
  });
});

test('move to an existing topic: says that it merges, and undo moves back exactly the merged messages', async () => {
  const {press, type, says, archiveId, archived, moved, idsIn, fixture} = await moveFixture('talk');
  press('m');
  type('#arch');
  press('Enter');
  expect(await says('existing topic')).toMatch(/▌talk {2}existing topic/);
  press('Enter');
  await says('Merges into an existing topic');
  press('3');
  await says('Merged into #archive › talk · z undo');
  const args = {type: 'stream', to: archiveId, topic: 'talk', content: 'after the merge'};
  const later = (await fixture.server.as(fixture.otto).post('/messages', args)).id;
  expect(await idsIn(archiveId, 'talk')).toEqual([...archived, ...moved, later]);
  press('z');
  await says('Moved back to #general › talk');
  expect(await idsIn(fixture.channelId, 'talk')).toEqual(moved);
  expect(await idsIn(archiveId, 'talk')).toEqual([...archived, later]);
});

test.for(['1', '2'])(
  'move: undoing the move of a part (%s) to a new topic leaves no topic with notices only',
  async (part) => {
    const {press, type, says, app, fixture, idsIn, moved} = await moveFixture();
    const names = () => topicRows(app.state, fixture.channelId).map(({display}) => display);
    press('m', 'Ctrl-U');
    type('tea');
    press('Enter', part);
    await says('Moved to #general › tea · z undo');
    await untilApp(app, () => names().includes('tea'));
    press('z');
    await says('Moved back to #general › talk');
    await untilApp(app, () => !names().includes('tea'));
    expect(await idsIn(fixture.channelId, 'talk')).toEqual(moved);
  },
);

test('move: undo leaves what others wrote in the new topic there', async () => {
  const {press, type, says, fixture, idsIn, moved} = await moveFixture();
  press('m', 'Ctrl-U');
  type('tea');
  press('Enter', '1');
  await says('Moved to #general › tea · z undo');
  const reply = {type: 'stream', to: fixture.channelId, topic: 'tea', content: 'green'};
  const {id} = await fixture.server.as(fixture.otto).post('/messages', reply);
  press('z');
  await says('Moved back to #general › talk');
  expect(await idsIn(fixture.channelId, 'tea')).toEqual([id]);
  expect(await idsIn(fixture.channelId, 'talk')).toEqual(moved);
});

test('move: a merge of more messages than can be moved back asks first, and undo says why it does nothing', async () => {
  const {press, type, says, archiveId, select, fixture, idsIn} = await moveFixture('big');
  const writer = new MessageFixtureWriter(fixture.server.context);
  const ids = Array.from({length: 101}, () => writer.toChannel(fixture.otto, fixture.channelId, 'big'));
  await select(ids.at(-1) ?? 0);
  press('m');
  type('#arch');
  press('Enter', 'Enter');
  await says('Merges into an existing topic');
  press('3');
  await says('This cannot be undone');
  press('Down', 'Enter');
  expect(await says('Merged into #archive › big')).not.toContain('z undo');
  press('z');
  await says('Not undone: more than 100 messages were merged into a topic that existed before');
  expect(await idsIn(archiveId, 'big')).toHaveLength(102);
});

test('move: undo of a merge moves back what was not deleted since, and says how many', async () => {
  const {press, type, says, archiveId, moved, idsIn, fixture} = await moveFixture('talk');
  press('m');
  type('#arch');
  press('Enter', 'Enter', '3');
  await says('Merged into #archive › talk · z undo');
  const [deleted = 0, ...left] = moved;
  await fixture.server.as(fixture.server.people.owner()).delete(`/messages/${deleted}`);
  press('z');
  await says(`Moved ${left.length} of ${moved.length} messages back to #general › talk; the others could not be moved`);
  expect(await idsIn(fixture.channelId, 'talk')).toEqual(left);
  expect(await idsIn(archiveId, 'talk')).not.toContain(deleted);
});

test('move: a merge of as many messages as can be moved back can be undone, and which topics get a notice is chosen', async () => {
  const {press, type, says, archiveId, select, fixture, overlay} = await moveFixture('big');
  const {server, meg, otto, channelId} = fixture;
  const writer = new MessageFixtureWriter(server.context);
  const ids = Array.from({length: 100}, () => writer.toChannel(otto, channelId, 'big'));
  await select(ids.at(-1) ?? 0);
  press('m');
  type('#arch');
  press('Enter', 'Enter');
  await says('100 messages');
  expect(overlay()).toMatch(/\[x\] Notify the new topic.*\[ \] Notify the old topic/s);
  press('n', 'o', '3');
  await says('Move 100 messages to #archive › big?');
  expect(overlay()).not.toContain('This cannot be undone');
  press('Down', 'Enter');
  await says('Merged into #archive › big · z undo');
  const notices = async (channel: number) => {
    const narrow = [
      {operator: 'channel', operand: channel},
      {operator: 'topic', operand: 'big'},
    ];
    const args = {anchor: 'newest', num_before: 5, num_after: 0, narrow};
    const {messages} = await server.as(meg).get('/messages', args);
    return messages.filter(({sender_id}: {sender_id: number}) => sender_id !== otto.id).length;
  };
  expect([await notices(channelId), await notices(archiveId)]).toEqual([1, 0]);
});

test('move: 20 messages move at once, and more only after a question', async () => {
  const {press, type, says, select, fixture, idsIn} = await moveFixture();
  const writer = new MessageFixtureWriter(fixture.server.context);
  const move = async (count: number, topic: string, to: string) => {
    const ids = Array.from({length: count}, () => writer.toChannel(fixture.otto, fixture.channelId, topic));
    await select(ids.at(-1) ?? 0);
    press('m', 'Ctrl-U');
    type(to);
    press('Enter');
    await says(`${count} messages`);
    press('3');
  };
  await move(20, 'few', 'tea');
  await says('Moved to #general › tea');
  await move(21, 'many', 'coffee');
  await says('Move 21 messages to #general › coffee?');
  expect(await idsIn(fixture.channelId, 'coffee')).toEqual([]);
});

test('move: undo does nothing when the messages were moved again meanwhile, and says so', async () => {
  const {press, type, says, moved, idsIn, fixture, session} = await moveFixture();
  press('m', 'Ctrl-U');
  type('tea');
  press('Enter', '3');
  await says('Moved to #general › tea · z undo');
  const [first = 0] = moved;
  await fixture.server.as(fixture.otto).patch(`/messages/${first}`, {topic: 'lunch', propagate_mode: 'change_all'});
  await waitForState(
    session,
    ({messages}) => messages.byConversation.size > 0 && topicOf(messages.byId.get(first)) === 'lunch',
  );
  press('z');
  await says('Not undone: the messages were moved again since');
  expect(await idsIn(fixture.channelId, 'lunch')).toEqual(moved);
});

test('move to another channel: without the permission to change topics only the same topic can be chosen', async () => {
  const {press, type, says, app, fixture} = await moveFixture('tea');
  const {server} = fixture;
  const {user_groups: groups} = await server.as(fixture.meg).get('/user_groups');
  const administrators = groups.find(({name}: {name: string}) => name === 'role:administrators').id;
  const setting = {can_move_messages_between_topics_group: JSON.stringify({new: administrators})};
  await server.as(server.people.owner()).patch('/realm', setting);
  await untilApp(app, () => app.state.realm.canMoveMessagesBetweenTopicsGroup === administrators);
  press('m');
  type('#arch');
  press('Enter');
  expect(await says('new topic')).toContain('▌talk  new topic');
  press('Ctrl-U');
  type('#archive>te');
  expect(await says('#archive>te')).toMatch(/▌tea {2}You do not have permission to move messages to another topic/);
});

test('move: the hint names # only where it chooses another channel', async () => {
  const {press, type, says} = await moveFixture();
  press('m');
  await says('# another channel');
  type('s');
  expect(await says('› talks')).not.toContain('# another channel');
});

test('move to another channel: a resolved topic stays resolved', async () => {
  const {press, type, says, archiveId, moved, idsIn, fixture, select, session} = await moveFixture();
  const [first = 0] = moved;
  await fixture.server.as(fixture.otto).patch(`/messages/${first}`, {topic: '✔ talk', propagate_mode: 'change_all'});
  await waitForState(session, ({messages}) => topicOf(messages.byId.get(first)) === '✔ talk');
  await select(first);
  press('m');
  type('#arch');
  press('Enter', 'Enter');
  await says('Move to #archive › ✔ talk');
  press('3');
  await says('Moved to #archive › ✔ talk');
  expect(await idsIn(archiveId, '✔ talk')).toEqual(moved);
});

function topicOf(message: {readonly kind: string; readonly topic?: string} | undefined): string | undefined {
  return message?.topic;
}

test.each([
  {keys: [], calls: [false, true]},
  {keys: ['n', 'o'], calls: [true, false]},
])('move: with the keys $keys, the old and the new topic are notified: $calls', async ({keys, calls}) => {
  const {press, says, app, session} = await moveFixture();
  const {api} = session.context;
  const sent = vi.spyOn(api, 'editMessage');
  press('m', 'Ctrl-U');
  for (const letter of 'tides') press(letter);
  press('Enter');
  await says('[x] Notify the new topic');
  press(...keys, '1');
  await untilApp(app, () => sent.mock.calls.length > 0);
  const [args] = sent.mock.calls[0] ?? [];
  expect([args?.send_notification_to_old_thread, args?.send_notification_to_new_thread]).toEqual(calls);
});
