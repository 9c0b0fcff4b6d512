import {expect, test} from 'vitest';
import {openChannelForm, openNewChannelForm} from '#app/channels/channel-form.ts';
import {openMemberList} from '#app/channels/member-list.ts';
import {openSubscriptionForm} from '#app/channels/subscription-form.ts';
import {formView, openedForm} from '#app/forms/form-view.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';

/** Meg's client, with keys that go to a field of the open form by its label. */
async function channelFormFixture(options: Parameters<typeof messageFixture>[0] = {}) {
  const parts = await messageFixture(options);
  const {app, press} = parts;
  const focused = () => {
    const open = openedForm(app);
    const rows = open === undefined ? [] : formView(app.frame, open.form).rows;
    const row = rows.find(({key}) => key === open?.focus);
    return row?.kind === 'action' ? row.action.label : row?.field.label;
  };
  const goTo = (label: string) => {
    for (let step = 0; step < 60 && focused() !== label; step++) press('Tab');
    expect(focused()).toBe(label);
  };
  const closed = () => untilApp(app, () => app.screen.overlays.length === 0);
  return {...parts, goTo, closed, state: () => parts.session.cache.state};
}

test('channel form: a channel is created with all that was set, and the other user sees it', async () => {
  const {fixture, session, app, press, type, goTo, closed, state} = await channelFormFixture();
  const {server, meg, otto} = fixture;
  await server.as(server.people.owner()).patch(`/users/${meg.id}`, {role: 100});
  const folder = await server.as(meg).post('/channel_folders/create', {name: 'Sea', description: ''});
  await waitForState(session, ({folders, users}) => folders.size > 0 && users.get(meg.id)?.role === 100);
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

test('channel form: a taken name is refused while typing, and an unseen one by the server at its field', async () => {
  const {fixture, app, press, type, says, overlay} = await channelFormFixture();
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
  const {fixture, session, app, press, type, goTo, closed, says, state} = await channelFormFixture();
  const {server, meg, otto, channelId} = fixture;
  await server.as(server.people.owner()).patch(`/users/${meg.id}`, {role: 200});
  await waitForState(session, ({users}) => users.get(meg.id)?.role === 200);
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
  const {fixture, app, press, type, overlay} = await channelFormFixture();
  openChannelForm(app, fixture.channelId);
  expect(overlay()).toMatch(/Name +general/);
  type('x');
  expect(app.screen.toast?.text).toBe('Only administrators of #general may change its settings.');
  press('Ctrl-D');
  expect(app.screen.overlays).toEqual([]);
});

test('channel form: what another client changes meanwhile shows in untouched fields', async () => {
  const {fixture, session, app, type, overlay, says} = await channelFormFixture();
  const {server, meg, channelId} = fixture;
  const owner = server.people.owner();
  await server.as(owner).patch(`/users/${meg.id}`, {role: 200});
  await waitForState(session, ({users}) => users.get(meg.id)?.role === 200);
  openChannelForm(app, channelId);
  type('2');
  await server.as(owner).patch(`/streams/${channelId}`, {new_name: 'lobby', description: 'Come in'});
  await says('Come in');
  expect(overlay()).toMatch(/\* Name +general2/);
});

test('subscription form: settings are saved, and one undo restores them', async () => {
  const {fixture, session, app, press, type, goTo, closed, overlay} = await channelFormFixture();
  const {channelId} = fixture;
  const own = () => session.cache.state.subscriptions.get(channelId);
  const before = own();
  openSubscriptionForm(app, channelId);
  expect(overlay()).toMatch(/Desktop notifications +As in my account \(off\)/);
  press('Ctrl-U');
  type('#4f8de4');
  goTo('Pinned to the top');
  press('Space');
  goTo('Desktop notifications');
  press('Right', 'Ctrl-D');
  await closed();
  await waitForState(
    session,
    () => own()?.color === '#4f8de4' && own()?.pinToTop === true && own()?.desktopNotifications === true,
  );
  openSubscriptionForm(app, channelId);
  goTo('Desktop notifications');
  // The server cannot set it back to the account's setting.
  press('Left', 'Left');
  expect(overlay()).toMatch(/Desktop notifications +< On >/);
  press('Esc', 'Z');
  await waitForState(session, () => own()?.color === before?.color && own()?.pinToTop === false);
  expect(own()?.desktopNotifications).toBe(false);
});

test('member list: a member is added and removed, and undo adds them again', async () => {
  const {fixture, session, app, press, type, says, overlay} = await channelFormFixture();
  const {server, meg, channelId} = fixture;
  await server.as(server.people.owner()).patch(`/users/${meg.id}`, {role: 200});
  const nora = server.people.member('Nora');
  await fixture.hook('expire-queues');
  await waitForState(session, ({users}) => users.has(nora.id) && users.get(meg.id)?.role === 200);
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
  press('Esc', 'Z');
  await waitForState(session, () => has(nora.id));
});

test('channel card: # opens it from a list and from messages, and it leads to both forms', async () => {
  const {fixture, app, press, select, overlay, says} = await channelFormFixture();
  await select(await fixture.postMessage('hello'));
  press('#');
  await says('Edit the channel');
  press('E');
  expect(overlay()).toContain('Settings of #general');
  press('Esc', 'N');
  expect(overlay()).toContain('My settings for #general');
  press('Esc', 'Esc');
  expect(app.screen.overlays).toEqual([]);
});

test('channel form: on an old server, what it lacks is disabled with the release, and archiving cannot be undone', async () => {
  const {fixture, session, app, press, goTo, says, overlay} = await channelFormFixture({server: {level: 185}});
  const {server, meg, channelId} = fixture;
  await server.as(server.people.owner()).patch(`/users/${meg.id}`, {role: 100});
  await waitForState(session, ({users}) => users.get(meg.id)?.role === 100);
  openChannelForm(app, channelId);
  goTo('Default channel');
  expect(overlay()).toContain('Needs Zulip 8 (feature level 200). This server has level 185.');
  goTo('Archive the channel…');
  press('Enter');
  await says('cannot be undone');
  press('y');
  await says(/Archived #general$/);
});
