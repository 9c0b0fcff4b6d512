import {expect, test, vi} from 'vitest';
import {openView, timelineState} from '#app/navigation/navigation.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {channelFixture} from './channel-fixture.ts';

/** Meg in the list of all channels: she is in #general, and can join #harbour. */
async function browserFixture(options: Parameters<typeof channelFixture>[0] = {}) {
  const parts = await channelFixture(options);
  const {server, fixture, app, refresh} = parts;
  const harbour = server.people.channel('harbour', [fixture.otto]);
  await refresh(({channels}) => channels.has(harbour));
  openView(app, {kind: 'channels'});
  const names = () => parts.rows().flatMap((row) => /#(\S+)/.exec(row)?.[1] ?? []);
  return {...parts, harbour, names};
}

test('channel list: tabs show subscribed, other and archived channels, and follow other clients', async () => {
  const {press, rows, names, owner, app, harbour} = await browserFixture();
  expect(rows()[0]).toBe('  1 All 2  2 Subscribed 1  3 Not subscribed 1  4 Archived');
  press('2');
  expect(names()).toEqual(['general']);
  press('3');
  expect(names()).toEqual(['harbour']);
  await owner.post('/channels/create', {name: 'pier', subscribers: []});
  await untilApp(app, () => names().includes('pier'));
  await owner.delete(`/streams/${harbour}`);
  await untilApp(app, () => !names().includes('harbour'));
  press('4');
  expect(names()).toEqual(['harbour']);
  expect(rows()[0]).toContain('4 Archived 1');
});

test('channel list: channels are grouped by folder, and Alt-f moves the selected ones; z moves them back', async () => {
  const {press, type, rows, become, owner, session, state, harbour, app, fixture} = await browserFixture();
  expect(rows().join()).not.toContain('NO FOLDER');
  press('Alt-f');
  expect(app.screen.toast?.text).toBe('Only administrators of #general may change its settings.');
  await become('administrator');
  press('Alt-f');
  expect(app.screen.toast?.text).toBe('The organization has no channel folders');
  const {channel_folder_id: sea} = await owner.post('/channel_folders/create', {name: 'Sea', description: ''});
  await waitForState(session, ({folders}) => folders.size > 0);
  press('v', 'j', 'v', 'j', 'Alt-f');
  type('sea');
  press('Enter');
  const folderOf = (id: number) => state().channels.get(id)?.folderId;
  await waitForState(session, () => folderOf(harbour) === sea && folderOf(fixture.channelId) === sea);
  await untilApp(app, () => rows().join().includes('SEA') && !rows().join().includes('NO FOLDER'));
  await untilApp(app, () => app.screen.toast?.text.includes('z undo') === true);
  press('z');
  await waitForState(session, () => folderOf(harbour) === null && folderOf(fixture.channelId) === null);
});

test('channel list: V shows the messages before subscribing and marks nothing read', async () => {
  const {press, app, fixture, server, session, harbour} = await browserFixture();
  await fixture.postMessage('unread one');
  await server.as(fixture.otto).post('/messages', {type: 'stream', to: harbour, topic: 'tides', content: 'high water'});
  await waitForState(session, ({unreads}) => unreads.byId.size === 1);
  press('G', 'V');
  expect(app.screen.view).toMatchObject({kind: 'messages', narrow: [{operand: harbour}]});
  expect(isSubscribed(app.state, harbour)).toBe(false);
  press('Esc');
  expect(app.screen.view.kind).toBe('channels');
  press('g', 'g', 'V');
  await untilApp(app, () => app.state.messages.byId.size > 0);
  expect(timelineState(app).isPeek).toBe(true);
  expect(app.state.unreads.byId.size).toBe(1);
});

test('channel list: S subscribes to the selected channels at once and names those that are not allowed', async () => {
  const {press, app, server, fixture, session, harbour, refresh, says, become} = await browserFixture();
  await become('administrator');
  const vault = server.people.channel('vault', [fixture.otto], {invite_only: 1});
  const pier = server.people.channel('pier', [fixture.otto]);
  await refresh(({channels}) => channels.has(pier) && channels.has(vault));
  press('3', 'v', 'j', 'v', 'j', 'v', 'j', 'S');
  await says('Subscribed to 2 channels · z undo · not allowed for #vault');
  await waitForState(session, (state) => isSubscribed(state, harbour) && isSubscribed(state, pier));
  expect(isSubscribed(app.state, vault)).toBe(false);
  press('z');
  await waitForState(session, (state) => !isSubscribed(state, harbour) && !isSubscribed(state, pier));
});

test('channel list: a channel that became private unseen is refused, and the text says what to do', async () => {
  const {press, server, says, harbour} = await browserFixture();
  server.context.db.run('UPDATE channel SET invite_only = 1 WHERE id = ?', harbour);
  press('G', 'S');
  await says('Not subscribed to #harbour: a subscriber has to add you.');
});

test('channel list: S where another client joined unseen says that the user is subscribed, and z leaves nothing', async () => {
  const {press, server, meg, says, harbour} = await browserFixture();
  const {db} = server.context;
  const isMember = () =>
    db.value('SELECT count(*) FROM subscription WHERE user_id = ? AND channel_id = ?', meg.id, harbour);
  db.run('UPDATE subscription SET user_id = ? WHERE channel_id = ?', meg.id, harbour);
  press('G', 'S');
  await says('Not subscribed to #harbour: you are subscribed already.');
  press('z');
  await says('Nothing to undo');
  expect(isMember()).toBe(1);
});

test('channel list: S where one channel was joined and one became private unseen says both', async () => {
  const {press, server, meg, says, refresh, harbour} = await browserFixture();
  const {db} = server.context;
  const pier = server.people.channel('pier', []);
  await refresh(({channels}) => channels.has(pier));
  db.run('UPDATE subscription SET user_id = ? WHERE channel_id = ?', meg.id, harbour);
  db.run('UPDATE channel SET invite_only = 1 WHERE id = ?', pier);
  press('3', 'v', 'j', 'v', 'S');
  await says('Not subscribed to 2 channels: not allowed for #pier; you are subscribed to the others already.');
});

test('channel list: leaving a channel that was deleted unseen says that it does not exist', async () => {
  const {press, server, fixture, says} = await browserFixture();
  server.context.db.run('UPDATE channel SET name = ?, name_key = ? WHERE id = ?', 'x', 'x', fixture.channelId);
  press('S');
  await says('Still subscribed to #general: Channel(s) (general) do not exist');
});

test('channel list: leaving asks only if one cannot join again, and then offers no undo', async () => {
  const {press, app, server, meg, session, says, overlay, refresh, groupId} = await browserFixture();
  const mine = server.people.channel('cabin', [meg], {
    invite_only: 1,
    permissions: {can_subscribe_group: groupId('role:members')},
  });
  const vault = server.people.channel('vault', [meg], {invite_only: 1});
  await refresh(({channels}) => channels.has(vault));
  press('2', 'g', 'g', 'S');
  await says('Unsubscribed from #cabin · z undo');
  await waitForState(session, (state) => !isSubscribed(state, mine));
  press('G', 'S');
  expect(overlay()).toContain('you cannot rejoin');
  press('y');
  await untilApp(app, () => app.screen.toast?.text === 'Unsubscribed from #vault');
});

test('channel list: Delete archives after a question, r unarchives, and both can be undone', async () => {
  const {press, app, session, state, harbour, become, says, fixture} = await browserFixture();
  const isArchived = () => state().channels.get(harbour)?.isArchived === true;
  press('G', 'Delete');
  expect(app.screen.toast?.text).toBe('Only administrators of #harbour may change its settings.');
  await become('administrator');
  press('Delete', 'n');
  expect(isArchived()).toBe(false);
  press('Delete', 'y');
  await waitForState(session, isArchived);
  await says('Archived #harbour · z undo');
  press('z');
  await waitForState(session, () => !isArchived());
  press('G', 'Delete');
  await says('Archive #harbour?');
  press('y');
  await waitForState(session, isArchived);
  press('4', 'r');
  await waitForState(session, () => !isArchived());
  await says('Unarchived #harbour · z undo');
  press('1', 'g', 'g', 'r');
  expect(app.screen.toast?.text).toBe('The channel is not archived');
  expect(state().channels.get(fixture.channelId)?.name).toBe('general');
});

const commands = ['channel.new', 'channel.add-people', 'channel.folder', 'channel.archive'] as const;
const noAdministrator = 'Only administrators of #general may change its settings.';

test.each([
  ['owner', [undefined, undefined, 'The organization has no channel folders', undefined]],
  ['administrator', [undefined, undefined, 'The organization has no channel folders', undefined]],
  ['moderator', [undefined, undefined, noAdministrator, noAdministrator]],
  ['member', [undefined, undefined, noAdministrator, noAdministrator]],
  [
    'guest',
    [
      'You do not have permission to create channels.',
      'You do not have permission to add people to #general.',
      noAdministrator,
      noAdministrator,
    ],
  ],
] as const)('channel commands: what a %s may do, with the reasons', async (role, reasons) => {
  const {become, reason, press} = await browserFixture();
  await become(role);
  press('g', 'g');
  expect(commands.map(reason)).toEqual(reasons);
});

test('channel commands: a read-only session changes nothing, and an old server has no folders', async () => {
  const readOnly = await browserFixture({app: {info: {isReadOnly: true}}});
  const refusal = 'This session is read-only: nothing is changed';
  expect(commands.map(readOnly.reason)).toEqual(commands.map(() => refusal));
  readOnly.press('G', 'S');
  expect(readOnly.app.screen.toast?.text).toBe(refusal);
  const old = await browserFixture({server: {level: 277}});
  await old.become('administrator');
  expect(old.reason('channel.folder')).toMatch(/^Needs Zulip 11 /);
});

test('channel card: C copies the email address of the channel, or says why there is none', async () => {
  const {press, deviceCalls, app, session} = await browserFixture();
  press('#', 'C');
  await untilApp(app, () => app.screen.toast !== undefined);
  expect(app.screen.toast?.text).toMatch(/^No email address of #general: This server receives no e-mail/);
  expect(deviceCalls).toEqual([]);
  // The embedded server has no such addresses; this is the response of one that has.
  vi.spyOn(session.context.api, 'getChannelEmail').mockResolvedValue({email: 'general.a1b2@chat.example'});
  press('C');
  await untilApp(app, () => deviceCalls.length > 0);
  expect(deviceCalls[0]).toEqual(['copy', 'general.a1b2@chat.example']);
});

test('channel list: with several selected channels Delete archives none of them and says why', async () => {
  const {press, app, harbour, state, become, overlay} = await browserFixture();
  await become('administrator');
  press('g', 'g', 'v', 'j', 'v', 'Delete');
  expect(app.screen.toast?.text).toBe('Select a single channel: channels are archived one at a time');
  press('v', 'Delete');
  expect(overlay()).toContain('Archive #general?');
  press('n');
  expect(state().channels.get(harbour)?.isArchived).toBe(false);
});

test('channel list: of several channels that are left, undo joins those again that can be joined, with their unread messages', async () => {
  const {press, says, fixture, server, meg, session, refresh, state} = await browserFixture();
  const vault = server.people.channel('vault', [meg, fixture.otto], {invite_only: 1});
  await refresh(({channels}) => channels.has(vault));
  await fixture.postMessage('unread one');
  await waitForState(session, ({unreads}) => unreads.byId.size === 1);
  press('g', 'g', 'v', 'G', 'v', 'S');
  expect(await says('Unsubscribe from 2 channels?')).toContain('you cannot rejoin #vault');
  press('y');
  await says('Unsubscribed from 2 channels · z undo');
  press('z');
  await says('Subscribed to #general again');
  await waitForState(session, ({unreads}) => unreads.byId.size === 1);
  expect([fixture.channelId, vault].map((id) => isSubscribed(state(), id))).toEqual([true, false]);
});

test('channel list: undo leaves those channels that were joined, not one that the server refused', async () => {
  const {press, says, server, session, refresh, state, harbour} = await browserFixture();
  const pier = server.people.channel('pier', []);
  await refresh(({channels}) => channels.has(pier));
  // Without an event, so that the client cannot know it.
  server.context.db.run('UPDATE channel SET invite_only = 1 WHERE id = ?', pier);
  press('3', 'v', 'j', 'v', 'S');
  await says('Subscribed to #harbour');
  await waitForState(session, (now) => isSubscribed(now, harbour));
  press('z');
  await says('Unsubscribed from #harbour again');
  expect(isSubscribed(state(), harbour)).toBe(false);
});
