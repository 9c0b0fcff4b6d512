import {expect, test} from 'vitest';
import {openChannelForm, openNewChannelForm, openSubscriptionForm} from '#app/channels/channel-form.ts';
import {openMemberList} from '#app/channels/member-list.ts';
import {canAddSubscribers} from '#state/selectors/permissions/channel-permissions.ts';
import {untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';
import {overlayText} from '#test/support/overlay-text.ts';
import {channelFixture} from './channel-fixture.ts';

test('channel form: a channel is created with all that was set, and the other user sees it', async () => {
  const {fixture, session, app, press, type, goTo, closed, state, become} = await channelFixture();
  const {server, meg, otto} = fixture;
  await become('owner');
  const folder = await server.as(meg).post('/channel_folders/create', {name: 'Sea', description: ''});
  await waitForState(session, ({folders}) => folders.size > 0);
  const queue = await server.as(otto).listen({event_types: ['stream', 'subscription']});
  openNewChannelForm(app);
  type('tides');
  goTo('Description');
  type('About the *sea*');
  goTo('Privacy');
  press('Right');
  goTo('Subscribers');
  type('otto');
  press('Enter', 'Esc');
  goTo('Folder');
  press('Right');
  goTo('Topics');
  press('Right', 'Right');
  goTo('Keep messages');
  press('Left');
  goTo('Delete after');
  press('Ctrl-U');
  type('90');
  goTo('Post messages');
  type('mod');
  press('Enter', 'Ctrl-D');
  await closed();
  const created = await waitForState(session, ({channels}) =>
    [...channels.values()].some(({name}) => name === 'tides'),
  );
  const channel = [...created.channels.values()].find(({name}) => name === 'tides');
  const moderators = [...state().groups.values()].find(({name}) => name === 'role:moderators')?.id;
  expect(channel).toMatchObject({
    description: 'About the *sea*',
    isPrivate: true,
    historyPublicToSubscribers: true,
    folderId: folder.channel_folder_id,
    topicsPolicy: 'disable_empty_topic',
    messageRetentionDays: 90,
    canSendMessageGroup: moderators,
    creatorId: meg.id,
  });
  expect(app.screen.view).toMatchObject({kind: 'messages'});
  const subscribed = await queue.next();
  expect(JSON.stringify(subscribed)).toContain('tides');
});

test('channel form: the members of chosen groups and of their subgroups are subscribed', async () => {
  const {fixture, session, app, press, type, goTo, closed, owner} = await channelFixture();
  const {server, meg, otto} = fixture;
  const nora = server.people.member('Nora');
  const {group_id: deck} = await owner.post('/user_groups/create', {name: 'deck', description: '', members: [nora.id]});
  await owner.post('/user_groups/create', {name: 'crew', description: '', members: [otto.id], subgroups: [deck]});
  await fixture.hook('expire-queues');
  await waitForState(
    session,
    ({groups, users}) => [...groups.values()].some(({name}) => name === 'crew') && users.has(nora.id),
  );
  openNewChannelForm(app);
  type('ship');
  goTo('Groups');
  type('crew');
  press('Enter', 'Esc', 'Ctrl-D');
  await closed();
  const {subscriptions} = await server.as(meg).get('/users/me/subscriptions', {include_subscribers: 'true'});
  const ship = subscriptions.find(({name}: {name: string}) => name === 'ship');
  expect(new Set(ship.subscribers)).toEqual(new Set([meg.id, otto.id, nora.id]));
});

test('channel form: a taken name is refused while typing, and an unseen one by the server at its field', async () => {
  const {fixture, app, press, type, says, overlay} = await channelFixture();
  const {server, otto} = fixture;
  // Meg cannot see this channel, so only the server knows that its name is taken.
  server.people.channel('secret', [otto], {invite_only: 1});
  openNewChannelForm(app);
  type('general');
  expect(overlay()).toContain('There is already a channel #general');
  press('Ctrl-U');
  type('secret');
  press('Tab', 'Ctrl-D');
  const text = await says('Not saved');
  expect(text).toMatch(/▌\* Name +secret .*\n.*already exists/);
});

test('channel form: changes are sent to the server and seen by another client; archive and unarchive', async () => {
  const {fixture, session, app, press, type, goTo, closed, says, state, become} = await channelFixture();
  const {server, otto, channelId} = fixture;
  await become('administrator');
  const queue = await server.as(otto).listen({event_types: ['stream']});
  openChannelForm(app, channelId);
  type(' talk');
  goTo('Topics');
  press('Right');
  goTo('Add subscribers');
  type('moder');
  press('Enter', 'Ctrl-D');
  await closed();
  await waitForState(session, ({channels}) => channels.get(channelId)?.name === 'general talk');
  const events = await queue.events();
  expect(events.map((event) => Reflect.get(event, 'property'))).toEqual(
    expect.arrayContaining(['name', 'topics_policy', 'can_add_subscribers_group']),
  );
  expect(state().channels.get(channelId)?.topicsPolicy).toBe('allow_empty_topic');
  openChannelForm(app, channelId);
  goTo('Archive the channel…');
  press('Enter', 'y');
  await waitForState(session, ({channels}) => channels.get(channelId)?.isArchived === true);
  await says('Unarchive the channel');
  goTo('Unarchive the channel');
  press('Enter');
  await waitForState(session, ({channels}) => channels.get(channelId)?.isArchived !== true);
});

test('channel form: a member sees the settings, and why they cannot be changed', async () => {
  const {fixture, app, press, type, overlay} = await channelFixture();
  openChannelForm(app, fixture.channelId);
  expect(overlay()).toMatch(/Name +general/);
  type('x');
  expect(app.screen.toast?.text).toBe('Only administrators of #general may change its settings.');
  press('Ctrl-D');
  expect(app.screen.overlays).toEqual([]);
});

test('channel form: what another client changes meanwhile shows in untouched fields', async () => {
  const {fixture, app, type, overlay, says, become, owner} = await channelFixture();
  const {channelId} = fixture;
  await become('administrator');
  openChannelForm(app, channelId);
  type('2');
  await owner.patch(`/streams/${channelId}`, {new_name: 'lobby', description: 'Come in'});
  await says('Come in');
  expect(overlay()).toMatch(/\* Name +general2/);
});

test('subscription form: settings are saved, and one undo restores them', async () => {
  const {fixture, session, app, press, type, goTo, closed, overlay} = await channelFixture();
  const {channelId} = fixture;
  const own = () => session.cache.state.subscriptions.get(channelId);
  const before = own();
  openSubscriptionForm(app, channelId);
  expect(overlay()).toMatch(/Desktop +Off, as in my account/);
  press('Ctrl-U');
  type('#4f8de4');
  goTo('Pinned to the top');
  press('Space');
  goTo('Desktop');
  press('Right', 'Ctrl-D');
  await closed();
  await waitForState(
    session,
    () => own()?.color === '#4f8de4' && own()?.pinToTop === true && own()?.desktopNotifications === true,
  );
  openSubscriptionForm(app, channelId);
  goTo('Desktop');
  // The server cannot set it back to the account's setting.
  press('Left', 'Left');
  expect(overlay()).toMatch(/Desktop +< On >/);
  press('Esc', 'z');
  await waitForState(session, () => own()?.color === before?.color && own()?.pinToTop === false);
  expect(own()?.desktopNotifications).toBe(false);
  expect(app.screen.toast?.text).toBe(
    'Undone: Desktop notifications off as in your account, but set for this channel · Z redo',
  );
});

test('subscription form: what the server refuses is taken back, and the reason is shown', async () => {
  const {fixture, session, app, press, goTo, says} = await channelFixture();
  const {channelId} = fixture;
  const own = () => session.cache.state.subscriptions.get(channelId);
  await fixture.hook('fault', {path: '/users/me/subscriptions', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  openSubscriptionForm(app, channelId);
  goTo('Pinned to the top');
  press('Space', 'Ctrl-D');
  await waitForState(session, () => own()?.pinToTop === true);
  await waitForState(session, () => own()?.pinToTop === false);
  await says('Refused by the server: Changed your settings for #general');
});

test('member list: a member is added and removed, and undo adds them again', async () => {
  const {fixture, session, app, press, type, says, overlay, become, refresh} = await channelFixture();
  const {server, channelId} = fixture;
  await become('administrator');
  const nora = server.people.member('Nora');
  await refresh(({users}) => users.has(nora.id));
  const has = (id: number) => session.cache.state.subscribers.get(channelId)?.ids.has(id) === true;
  openMemberList(app, channelId);
  await says('Otto');
  press('Ctrl-A');
  type('nora');
  press('Enter', 'Esc', 'Ctrl-D');
  await waitForState(session, () => has(nora.id));
  await says(/Members of[\s\S]*Nora/);
  type('nora');
  press('Delete', 'y');
  await waitForState(session, () => !has(nora.id));
  await untilApp(app, () => overlay()?.includes('Nora') === false);
  // The event may come before the answer, and nothing can be undone until then.
  await says('Removed Nora from #general');
  press('Esc', 'z');
  await waitForState(session, () => has(nora.id));
});

test('member list: a member whom the user may remove and not add is removed without an offer to undo it', async () => {
  const {fixture, app, press, type, says, owner, groupId, refresh} = await channelFixture();
  const {server, channelId} = fixture;
  await owner.patch(`/streams/${channelId}`, {can_remove_subscribers_group: {new: groupId('role:members')}});
  server.people.setting('can_add_subscribers_group', groupId('role:owners'));
  await refresh((state) => !canAddSubscribers(state, channelId, Date.now()).ok);
  openMemberList(app, channelId);
  await says('Otto');
  type('otto');
  press('Delete', 'y');
  await untilApp(app, () => app.screen.toast?.text === 'Removed Otto from #general');
  press('Esc', 'z');
  expect(app.screen.toast?.text).toContain('Cannot be undone: Removed Otto from #general');
});

test('member list: undo right after a removal does not undo an older change, and undoes the removal once it is answered', async () => {
  const {fixture, session, app, press, says, become, refresh, goTo} = await channelFixture();
  const {server, channelId} = fixture;
  await become('administrator');
  const has = (id: number) => session.cache.state.subscribers.get(channelId)?.ids.has(id) === true;
  const nora = server.people.member('Nora');
  await server.as(nora).post('/users/me/subscriptions', {subscriptions: [{name: 'general'}]});
  await refresh(({users}) => users.has(nora.id));
  openSubscriptionForm(app, channelId);
  goTo('Pinned to the top');
  press('Space', 'Ctrl-D');
  const isPinned = () => session.cache.state.subscriptions.get(channelId)?.pinToTop;
  await waitForState(session, () => isPinned() === true);
  openMemberList(app, channelId);
  await says('Nora');
  press('N', 'o', 'r', 'Delete', 'y', 'Esc', 'z');
  expect(app.screen.toast?.text).toContain('Undo works once the server has answered the latest change');
  await says('Removed Nora from #general');
  press('z');
  await waitForState(session, () => has(nora.id));
  await says('Added Nora to #general again');
  press('Z', 'z');
  expect(app.screen.toast?.text).toContain('Undo works once the server has answered the latest change');
  await says('Removed Nora from #general');
  press('z');
  await waitForState(session, () => has(nora.id));
  expect(isPinned()).toBe(true);
});

test('channel card: # opens it from a list and from messages, and it leads to both forms', async () => {
  const {fixture, app, press, select, overlay, says} = await channelFixture();
  await select(await fixture.postMessage('hello'));
  press('#');
  await says('E settings');
  press('E');
  expect(overlay()).toContain('Settings of #general');
  press('Esc', 'N');
  expect(overlay()).toContain('My settings for #general');
  press('Esc', 'Esc');
  expect(app.screen.overlays).toEqual([]);
});

test('channel form: undo restores the name, the settings and the permissions, and the other user sees it', async () => {
  const {fixture, session, app, press, type, goTo, closed, state, become, groupId} = await channelFixture();
  const {server, otto, channelId} = fixture;
  await become('owner');
  const channel = () => state().channels.get(channelId);
  const before = channel();
  openChannelForm(app, channelId);
  press('Ctrl-U');
  type('lobby');
  goTo('Privacy');
  press('Right');
  goTo('Default channel');
  goTo('Topics');
  press('Right');
  goTo('Keep messages');
  press('Right');
  goTo('Post messages');
  type('mod');
  press('Enter', 'Ctrl-D');
  await closed();
  await waitForState(session, () => channel()?.name === 'lobby' && channel()?.isPrivate === true);
  expect(channel()).toMatchObject({messageRetentionDays: -1, canSendMessageGroup: groupId('role:moderators')});
  expect(app.screen.toast?.text).toBe('Renamed #general to #lobby and changed its settings · z undo');
  const queue = await server.as(otto).listen({event_types: ['stream']});
  press('z');
  await waitForState(session, () => channel()?.name === 'general' && channel()?.isPrivate === false);
  expect(channel()).toMatchObject({
    messageRetentionDays: before?.messageRetentionDays,
    topicsPolicy: before?.topicsPolicy,
    canSendMessageGroup: before?.canSendMessageGroup,
    historyPublicToSubscribers: before?.historyPublicToSubscribers,
  });
  expect(JSON.stringify(await queue.events())).toContain('general');
  await untilApp(app, () => app.screen.toast?.text === '#general is as it was · Z redo');
  press('Z');
  await waitForState(session, () => channel()?.name === 'lobby' && channel()?.isPrivate === true);
  await untilApp(app, () => app.screen.toast?.text.includes('Renamed #general to #lobby') === true);
  press('z');
  await waitForState(session, () => channel()?.name === 'general' && channel()?.isPrivate === false);
});

test('channel form: a default channel is set and unset, on servers of any level', async () => {
  for (const level of [185, 509]) {
    const {fixture, session, app, press, goTo, closed, state, become} = await channelFixture({server: {level}});
    await become('administrator');
    openChannelForm(app, fixture.channelId);
    goTo('Default channel');
    press('Space', 'Ctrl-D');
    await closed();
    await waitForState(session, ({defaultChannels}) => defaultChannels.has(fixture.channelId));
    press('z');
    await waitForState(session, ({defaultChannels}) => !defaultChannels.has(fixture.channelId));
    expect(state().server.level).toBe(level);
  }
});

test.each([
  ['owner', undefined, undefined],
  ['administrator', undefined, 'Only owners can change this'],
  ['moderator', 'Only administrators of #general may change its settings.', undefined],
  ['member', 'Only administrators of #general may change its settings.', undefined],
  ['guest', 'Only administrators of #general may change its settings.', undefined],
] as const)('channel form: what a %s may change', async (role, name, retention) => {
  const {fixture, app, goTo, type, press, become} = await channelFixture();
  await become(role);
  openChannelForm(app, fixture.channelId);
  goTo('Name');
  type('x');
  expect(app.screen.toast?.text).toBe(name);
  press('Ctrl-R');
  goTo('Keep messages');
  press('Right');
  expect(app.screen.toast?.text).toBe(name ?? retention);
});

test('channel form: a channel administrator who is no administrator may change its settings', async () => {
  const {fixture, session, app, type, press, closed, owner, groupId} = await channelFixture();
  const {channelId} = fixture;
  const members = {new: groupId('role:members')};
  await owner.patch(`/streams/${channelId}`, {can_administer_channel_group: members});
  await waitForState(session, ({channels}) => channels.get(channelId)?.canAdministerChannelGroup === members.new);
  openChannelForm(app, channelId);
  type('2');
  press('Ctrl-D');
  await closed();
  await waitForState(session, ({channels}) => channels.get(channelId)?.name === 'general2');
});

test('channel form: a permission that another client changed unseen is not overwritten', async () => {
  const {fixture, app, goTo, type, press, says, become, groupId, server} = await channelFixture();
  await become('owner');
  openChannelForm(app, fixture.channelId);
  goTo('Post messages');
  type('mod');
  press('Enter');
  // Without an event, so that the form does not know it.
  const permissions = JSON.stringify({can_send_message_group: groupId('role:owners')});
  server.context.db.run('UPDATE channel SET permissions = ? WHERE id = ?', permissions, fixture.channelId);
  press('Ctrl-D');
  expect(await says('Not saved')).toContain('Someone else has changed a permission meanwhile.');
});

/** Each permission's field, and the name of its parameter. */
const permissionFields = [
  ['Post messages', 'can_send_message_group'],
  ['Start topics', 'can_create_topic_group'],
  ['Join by themselves', 'can_subscribe_group'],
  ['Add subscribers', 'can_add_subscribers_group'],
  ['Remove subscribers', 'can_remove_subscribers_group'],
  ['Administer the channel', 'can_administer_channel_group'],
  ['Resolve topics', 'can_resolve_topics_group'],
  ['Move to other topics', 'can_move_messages_within_channel_group'],
  ['Move to other channels', 'can_move_messages_out_of_channel_group'],
  ['Delete own messages', 'can_delete_own_message_group'],
  ['Delete any message', 'can_delete_any_message_group'],
] as const;

test('channel form: that nobody has a permission says who has it anyway', async () => {
  const {app, goTo, says, become} = await channelFixture();
  await become('owner');
  openNewChannelForm(app);
  goTo('Delete any message');
  const text = await says('Delete any message');
  expect(text).toMatch(/Delete any message +Only those allowed in the organization/);
  goTo('Join by themselves');
  expect(await says('Join by themselves')).toMatch(/Join by themselves +Only those whom its privacy lets in/);
  expect(text.replaceAll(/[\s│]+/g, ' ')).toContain('besides those allowed in the organization.');
});

test('channel form: every permission, the default channel and the announcement are set at creation', async () => {
  const {fixture, app, press, type, goTo, closed, become, groupId, owner, session, state} = await channelFixture();
  await become('owner');
  await owner.patch('/realm', {new_stream_announcements_stream_id: fixture.channelId});
  await waitForState(session, ({realm}) => realm.newStreamAnnouncementsStreamId === fixture.channelId);
  openNewChannelForm(app);
  type('pier');
  goTo('Announce');
  press('Space');
  goTo('Default channel');
  press('Space');
  goTo('Notify phones');
  press('Space');
  for (const [label] of permissionFields) {
    goTo(label);
    type('moder');
    press('Enter');
  }
  press('Ctrl-D');
  await closed();
  const {streams} = await owner.get('/streams', {include_default: true});
  const pier = streams.find(({name}: {name: string}) => name === 'pier');
  const moderators = groupId('role:moderators');
  // Enter keeps the creator, who is chosen by name.
  const administrators = {direct_members: [state().self.userId], direct_subgroups: [moderators]};
  expect(permissionFields.map(([, name]) => pier[name])).toEqual(
    permissionFields.map(([, name]) => (name === 'can_administer_channel_group' ? administrators : moderators)),
  );
  expect(pier).toMatchObject({is_default: true, default_push_notifications: true});
  const narrow = [{operator: 'channel', operand: fixture.channelId}];
  const feed = {narrow, anchor: 'newest', num_before: 5, num_after: 0};
  const {messages} = await fixture.server.as(fixture.meg).get('/messages', feed);
  expect(messages.at(-1).content).toContain('created a new channel');
  await waitForState(session, ({defaultChannels}) => defaultChannels.has(pier.stream_id));
});

test('channel form: what the server refuses at creation is shown, and the form stays open', async () => {
  const {app, press, type, goTo, says, server, overlay, groupId, fixture} = await channelFixture();
  openNewChannelForm(app);
  type('pier');
  goTo('Subscribers');
  type('otto');
  press('Enter', 'Esc');
  // Without events, so that only the server knows.
  server.context.db.run('UPDATE user SET is_active = 0 WHERE id = ?', fixture.otto.id);
  press('Ctrl-D');
  await says('User is deactivated');
  server.context.db.run('UPDATE user SET is_active = 1 WHERE id = ?', fixture.otto.id);
  server.people.setting('can_create_public_channel_group', groupId('role:owners'));
  press('Ctrl-D');
  await says('Insufficient permission');
  goTo('Privacy');
  press('Enter');
  type('web');
  expect(overlay()).toContain('turned off in this orga');
});

test('channel form: a channel with named topics cannot lose its topics', async () => {
  const {fixture, app, press, goTo, says, become} = await channelFixture();
  await become('administrator');
  await fixture.postMessage('hello', 'tides');
  openChannelForm(app, fixture.channelId);
  goTo('Topics');
  press('Left', 'Ctrl-D');
  expect(await says('Not saved')).toMatch(/Topics +< None >[\s\S]*general chat/);
});

test('channel form: below level 333 a channel has a posting policy instead of permissions', async () => {
  const {fixture, app, press, goTo, closed, become, owner, state} = await channelFixture({server: {level: 277}});
  await become('administrator');
  openChannelForm(app, fixture.channelId);
  goTo('Post messages');
  press('Right', 'Ctrl-D');
  await closed();
  const {stream} = await owner.get(`/streams/${fixture.channelId}`);
  expect(stream.stream_post_policy).toBe(3);
  press('z');
  await untilApp(app, () => state().channels.get(fixture.channelId)?.streamPostPolicy === 1);
});

test('channel form: says where a new channel is announced, and that it cannot be without a channel for that', async () => {
  const {fixture, app, goTo, owner, become, session} = await channelFixture();
  await become('owner');
  const form = () => overlayText(app.frame).join('\n');
  openNewChannelForm(app);
  goTo('Announce');
  expect(form()).toContain('The organization has no channel for announcements');
  expect(form()).not.toContain('Tell them');
  await owner.patch('/realm', {new_stream_announcements_stream_id: fixture.channelId});
  await waitForState(session, ({realm}) => realm.newStreamAnnouncementsStreamId === fixture.channelId);
  app.frames.paintNow();
  expect(form()).toContain('Posts a message about the new channel in #general.');
});
