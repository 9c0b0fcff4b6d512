import {expect, test, vi} from 'vitest';
import {openNarrow, openView} from '#app/navigation/navigation.ts';
import {commandTable} from '#commands/command-table.ts';
import {topicPolicy} from '#state/messages/event-conversations.ts';
import {topicNarrow} from '#state/model/narrow.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {type MessageFixtureOptions, messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {egRect, textOf} from '#test/support/frame-fixture.ts';
import {messagePaneLines} from '#test/support/part-lines.ts';
import {backend, listFixture, web} from '#test/ui/lists/list-fixture.ts';
import {messagesView, shownConversation} from '#ui/core/frame.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {roles} from '#wire/objects/user.ts';

async function topicFixture(options: MessageFixtureOptions = {}) {
  const parts = await messageFixture(options);
  const {fixture, app, session, press, type} = parts;
  const {server, meg} = fixture;
  const owner = server.people.owner();
  return {
    ...parts,
    state: () => session.cache.state,
    toast: () => app.screen.toast?.text,
    run: (name: string) => {
      press(';');
      type(`>${name}`);
      press('Enter');
    },
    disabled: (id: string) => commandTable.get(id)?.disabledReason?.(app),
    becomes: async (role: keyof typeof roles) => {
      await server.as(owner).patch(`/users/${meg.id}`, {role: roles[role]});
      await waitForState(session, ({users}) => users.get(meg.id)?.role === roles[role]);
    },
  };
}

test('topic visibility: the menu marks the current state, sets another one, and undo restores it', async () => {
  const {fixture, select, press, overlay, state, toast} = await topicFixture();
  const {channelId, server, meg} = fixture;
  await select(await fixture.postMessage('hello'));
  press('L');
  expect(overlay()).toMatch(/◆ Default {2}as its channel/);
  press('f');
  expect([topicPolicy(state(), channelId, 'talk'), toast()]).toEqual([3, 'Followed #general › talk · z undo']);
  press('L');
  expect(overlay()).toContain('◆ Followed');
  press('u');
  expect(toast()).toBe('Unmuted #general › talk · z undo');
  const queue = await server.as(meg).listen({event_types: ['user_topic']});
  press('L', 'm');
  await queue.first(({topic_name, visibility_policy}) => topic_name === 'talk' && visibility_policy === 1);
  press('z');
  expect(topicPolicy(state(), channelId, 'talk')).toBe(2);
});

test('topic visibility: the open menu follows a change of another client, and works from the list of topics', async () => {
  const {fixture, select, press, app, overlay, state} = await topicFixture({app: {size: '120x40'}});
  const {channelId, server, meg} = fixture;
  await fixture.postMessage('old', 'tides');
  await select(await fixture.postMessage('hello'));
  press('y');
  await untilApp(app, () => app.screen.view.kind === 'topics' && state().topics.get(channelId)?.complete === true);
  press('G', 'L');
  expect(overlay()).toContain('#general › tides');
  await server.as(meg).post('/user_topics', {stream_id: channelId, topic: 'tides', visibility_policy: 3});
  await untilApp(app, () => overlay()?.includes('◆ Followed') === true);
  press('d');
  expect(topicPolicy(state(), channelId, 'tides')).toBe(0);
});

test('topics: of several that are selected, L changes all, and those that are changed one at a time say so', () => {
  const {app, press, toast} = listFixture({view: messagesView(topicNarrow(backend, 'deploy'))});
  const policies = () => [topicPolicy(app.state, backend, 'deploy'), topicPolicy(app.state, web, 'css')];
  press('L', 'f');
  expect(policies()).toEqual([3, 0]);
  openView(app, {kind: 'inbox'});
  press('j', 'v', 'j', 'j', 'v');
  const disabled = (id: string) => commandTable.get(id)?.disabledReason?.(app);
  expect(disabled('topic.delete')).toBe('Select a single topic: topics are deleted one at a time');
  expect(disabled('topic.resolve')).toBe('Select a single topic: topics are resolved one at a time');
  press('L', 'f');
  expect([policies(), toast()]).toEqual([[3, 3], 'Followed 2 conversations · z undo']);
  press('z');
  expect(policies()).toEqual([3, 0]);
});

test('topic visibility: an older server cannot follow topics, and the menu says which one can', async () => {
  const {fixture, select, press, toast} = await topicFixture({server: {level: 185}});
  await select(await fixture.postMessage('hello'));
  press('L', 'f');
  expect(toast()).toMatch(/^Needs Zulip 8/);
});

test('topic resolve: T keeps the selected message where it is on the screen, and adds no view to go back to', async () => {
  const {fixture, select, press, app, says} = await topicFixture({app: {size: '100x20'}});
  const ids: number[] = [];
  for (let count = 0; count < 40; count += 1) ids.push(await fixture.postMessage(`message ${count}`, 'tides'));
  const id = ids[15] ?? 0;
  await select(id);
  press('k', 'j', 'j');
  const shown = () => textOf(messagePaneLines(app.frame, egRect('100x16'))).filter((line) => line.includes('message'));
  await untilApp(app, () => shown().length > 8);
  const before = {lines: shown(), back: app.screen.back};
  press('T');
  await says('Resolved');
  await untilApp(app, () => shown().length > 8);
  expect(shownConversation(app.screen)).toMatchObject({topic: '✔ tides'});
  expect(selectedMessage(app)?.id).toBe(id + 1);
  expect({lines: shown(), back: app.screen.back}).toEqual(before);
});

test('topic resolve: T resolves the topic under the cursor and resolves it back', async () => {
  const {fixture, select, press, says, session, state} = await topicFixture();
  const {channelId} = fixture;
  const id = await fixture.postMessage('hello');
  await select(id);
  press('T');
  await says('Resolved #general › talk · z undo');
  await waitForState(session, ({messages}) => {
    const message = messages.byId.get(id);
    return message?.kind === 'channel' && message.topic === '✔ talk';
  });
  press('T');
  await says('Unresolved');
  expect(state().channels.has(channelId)).toBe(true);
});

test('delete topic: members and guests may not, and the reason is shown', async () => {
  const {fixture, select, disabled, becomes} = await topicFixture();
  await select(await fixture.postMessage('hello'));
  const reason = 'You do not have permission to delete topics in #general.';
  expect(disabled('topic.delete')).toBe(reason);
  await becomes('guest');
  expect(disabled('topic.delete')).toBe(reason);
  await becomes('moderator');
  expect(disabled('topic.delete')).toBe(reason);
  await becomes('administrator');
  expect(disabled('topic.delete')).toBeUndefined();
  await becomes('owner');
  expect(disabled('topic.delete')).toBeUndefined();
});

test('delete topic: asks with the number of messages, shows progress, and the other user sees it gone', async () => {
  const {fixture, app, select, run, press, says, becomes, session} = await topicFixture();
  const {server, otto, channelId} = fixture;
  const first = await fixture.postMessage('hello');
  const {db} = server.context;
  const columns = db.pluck<string>("SELECT name FROM pragma_table_info('message') WHERE name <> 'id'").join();
  db.run(
    `INSERT INTO message (${columns}) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
     SELECT ${columns} FROM n, message WHERE message.id = ?`,
    first,
  );
  await becomes('administrator');
  const last = await fixture.postMessage('last');
  await select(last);
  const queue = await server.as(otto).listen({event_types: ['delete_message']});
  const toasts = vi.spyOn(app, 'toast');
  run('delete topic');
  await says('Delete 1202 messages for everyone');
  press('y');
  await says('Deleted #general › talk (1202 messages)');
  expect(toasts).toHaveBeenCalledWith(expect.stringMatching(/^Deleting #general › talk: .*…$/));
  const deleted = (await queue.events()).filter(({type}) => type === 'delete_message');
  expect(deleted.map(({stream_id, message_ids}) => [stream_id, message_ids.length])).toEqual([
    [channelId, 1000],
    [channelId, 202],
  ]);
  const {messages} = await server.as(otto).get('/messages', {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{operator: 'topic', operand: 'talk'}],
  });
  expect(messages).toEqual([]);
  await waitForState(session, ({messages: {byId}}) => !byId.has(first) && !byId.has(last));
});

test('delete topic: a refusal of the server is shown', async () => {
  const {fixture, select, run, press, says, becomes} = await topicFixture();
  await becomes('administrator');
  await select(await fixture.postMessage('hello'));
  run('delete topic');
  await says('Delete 1 message for everyone');
  await fixture.hook('fault', {path: `/streams/${fixture.channelId}/delete_topic`, kind: 'status', status: 400});
  press('y');
  await says('#general › talk was not deleted completely');
});

test('mark all as read: asks with the count, keeps later messages unread, and undo restores exactly the same', async () => {
  const {fixture, app, run, press, says, session, state} = await topicFixture();
  const {server, meg, otto} = fixture;
  const ids = [await fixture.postMessage('one', 'a'), await fixture.postMessage('two', 'b')];
  const direct = await server.as(otto).post('/messages', {type: 'direct', to: [meg.id], content: 'psst'});
  await waitForState(session, ({unreads}) => unreads.byId.size === 3);
  await untilApp(app, () => app.frames.paintedFrame.account.unreads.byId.size === 3);
  run('mark all as read');
  await says('Mark 3 unread messages as read');
  const later = await fixture.postMessage('later', 'a');
  await waitForState(session, ({unreads}) => unreads.byId.has(later));
  const queue = await server.as(meg).listen({event_types: ['update_message_flags']});
  press('y');
  expect(app.screen.toast?.text).toBe('Marked everything read (3 in 3 conversations) · z undo');
  await queue.first(({messages}) => deepEqual(messages, [...ids, direct.id]));
  press('z');
  expect([...state().unreads.byId.keys()]).toEqual([...ids, direct.id, later]);
});

test('mark all as read: says that nothing is unread, and is refused in a read-only session', async () => {
  const {run, toast} = await topicFixture();
  run('mark all as read');
  expect(toast()).toBe('Nothing is unread.');
  const {disabled} = await topicFixture({app: {info: {isReadOnly: true}}});
  expect(disabled('mark.all.read')).toBe('This session is read-only: nothing is marked read');
});

test('mark a view: all results of a search are starred on the server, and undo removes exactly these stars', async () => {
  const {fixture, app, press, run, says, session, state} = await topicFixture();
  const {server, meg} = fixture;
  const ids = [await fixture.postMessage('high tide'), await fixture.postMessage('low tide', 'b')];
  await fixture.postMessage('no water');
  await server.as(meg).post('/messages/flags', {messages: [ids[0] ?? 0], op: 'add', flag: 'starred'});
  await waitForState(session, ({starred}) => starred.size === 1);
  openNarrow(app, [{operator: 'search', operand: 'tide'}], {query: 'tide'});
  run('star all');
  press('s');
  await says('Star 1 message');
  press('y');
  await says('Starred 1 message: Search: tide · z undo');
  await waitForState(session, ({starred}) => starred.size === 2);
  const queue = await server.as(meg).listen({event_types: ['update_message_flags']});
  press('z');
  await queue.first(({op, messages}) => op === 'remove' && deepEqual(messages, [ids[1]]));
  expect([...state().starred]).toEqual([ids[0]]);
});

test('mark a view: unread and read again, with the channels that were left out', async () => {
  const {fixture, app, press, run, says, session} = await topicFixture();
  const {server, meg, otto, channelId} = fixture;
  await fixture.postMessage('tide here');
  const subscriptions = [{name: 'harbor'}];
  await server.as(otto).post('/users/me/subscriptions', {subscriptions, principals: [meg.id, otto.id]});
  const isInHarbor = (state: AccountState) =>
    [...state.channels.values()].some(({id, name}) => name === 'harbor' && isSubscribed(state, id));
  await waitForState(session, isInHarbor);
  await server.as(otto).post('/messages', {type: 'stream', to: 'harbor', topic: 'x', content: 'tide there'});
  await server.as(meg).delete('/users/me/subscriptions', {subscriptions: ['harbor']});
  await waitForState(session, (state) => !isInHarbor(state));
  openNarrow(app, [
    {operator: 'channels', operand: 'public'},
    {operator: 'search', operand: 'tide'},
  ]);
  run('mark all messages of this view');
  press('r');
  await says('Mark 1 message as read');
  press('y');
  await says('Marked 1 message read');
  run('mark all messages of this view');
  press('u');
  await says('Mark 2 messages as unread');
  press('y');
  await says('not in #harbor: you are not subscribed');
  await waitForState(session, ({unreads}) => unreads.byId.size === 1);
  openNarrow(app, topicNarrow(channelId, 'nothing'));
  run('mark all messages of this view');
  press('x');
  await says('Nothing is starred here.');
});
