import {expect, test} from 'vitest';
import {defaultChannelList} from '#app/organization/default-channels.ts';
import {folderList} from '#app/organization/folders.ts';
import {commandTable} from '#commands/command-table.ts';
import {organizationFixture} from './organization-fixture.ts';

test('folders: an administrator creates, changes, moves, archives and unarchives them; undo restores each', async () => {
  const {fixture, app, press, type, fill, rows, until, closed, toast} = await organizationFixture('administrator');
  const queue = await fixture.server.as(fixture.otto).listen({event_types: ['channel_folder']});
  folderList.open(app);
  const create = async (name: string) => {
    press('Ctrl-A');
    type(name);
    fill('Description', `About ${name}`);
    press('Ctrl-D');
    await closed();
    await until(({folders}) => [...folders.values()].some((folder) => folder.name === name));
  };
  await create('Sea');
  await create('Land');
  expect(rows().slice(1)).toEqual([
    expect.stringMatching(/Sea {2}About Sea +0 channels$/),
    expect.stringMatching(/Land {2}About Land +0 channels$/),
  ]);
  press('Down', 'Enter');
  fill('Name', 'Ocean');
  press('Ctrl-D');
  await toast('Changed the folder Ocean');
  await until(({folders}) => [...folders.values()].some(({name}) => name === 'Ocean'));
  press('Alt-Down');
  await toast('Changed the order of folders');
  await until(({folders}) => [...folders.values()].find(({name}) => name === 'Land')?.order === 0);
  press('Delete');
  await toast('Archived the folder Ocean');
  await until(({folders}) => [...folders.values()].some(({isArchived}) => isArchived));
  expect(rows().at(-1)).toMatch(/Ocean .*archived$/);
  press('Ctrl-T');
  await toast('Unarchived the folder Ocean');
  await until(({folders}) => ![...folders.values()].some(({isArchived}) => isArchived));
  const ops = (await queue.events()).map(({op}) => op);
  expect(ops).toEqual(['add', 'add', 'update', 'reorder', 'update', 'update']);
  press('Esc', 'z', 'z');
  await until(({folders}) => ![...folders.values()].some(({isArchived}) => isArchived));
  press('z');
  await until(({folders}) => [...folders.values()].find(({name}) => name === 'Ocean')?.order === 0);
  press('z');
  await until(({folders}) => [...folders.values()].some(({name}) => name === 'Sea'));
});

test('folders: names are unique and limited; a folder with channels is not archived', async () => {
  const {fixture, app, owner, press, type, overlay, says, until, unseen} = await organizationFixture('administrator');
  const {channel_folder_id: id} = await owner.post('/channel_folders/create', {name: 'Sea', description: ''});
  await owner.patch(`/streams/${fixture.channelId}`, {folder_id: id});
  await until(({channels}) => channels.get(fixture.channelId)?.folderId === id);
  folderList.open(app);
  press('Ctrl-A');
  type('sea');
  expect(overlay()).toContain('There is already a folder Sea');
  press('Ctrl-U');
  type('x'.repeat(61));
  expect(overlay()).toContain('1 character too long');
  press('Ctrl-U');
  type('Land');
  unseen(
    `INSERT INTO channel_folder (name, name_key, description, sort_order, created_at) VALUES ('Land', 'land', '', 9, 0)`,
  );
  press('Ctrl-D');
  expect(await says('Not saved')).toMatch(/Name .*\n.*Channel folder name already in use/);
  press('Esc', 'Down', 'Delete');
  expect(app.screen.toast?.text).toBe('Only folders without channels can be archived');
});

test('folders: a server without them is named in the palette, and members only look', async () => {
  const older = await organizationFixture('member', {server: {level: 371}});
  expect(commandTable.get('folders.list')?.disabledReason?.(older.app)).toMatch(/^Needs Zulip 11/);
  const {app, press} = await organizationFixture('member');
  folderList.open(app);
  press('Ctrl-A');
  expect(app.screen.toast?.text).toBe('Only administrators can change this');
});

test('default channels: an administrator adds and removes them; another client sees it, undo restores them', async () => {
  const {fixture, app, owner, press, type, rows, until, toast, closed} = await organizationFixture('administrator');
  const {server, otto, meg, channelId} = fixture;
  server.people.channel('secret', [meg], {invite_only: 1});
  await owner.post('/channels/create', {name: 'books', subscribers: [meg.id]});
  await until(({channels}) => [...channels.values()].some(({name}) => name === 'books'));
  const queue = await server.as(otto).listen({event_types: ['default_streams']});
  defaultChannelList.open(app);
  expect(rows().at(-1)).toBe(' New users are subscribed to no channel');
  press('Ctrl-A', 'Enter');
  type('secret');
  expect(rows().join('\n')).not.toContain('#secret');
  press('Ctrl-U');
  type('gen');
  press('Enter');
  type('books');
  press('Enter', 'Esc', 'Ctrl-D');
  await closed();
  await until(({defaultChannels}) => defaultChannels.size === 2);
  await toast('Added 2 default channels');
  expect((await queue.events()).at(-1)?.default_streams).toContain(channelId);
  press('Down', 'Down', 'Delete');
  await until(({defaultChannels}) => defaultChannels.size === 1);
  await toast('Removed #general from the default channels');
  press('Esc', 'z');
  await until(({defaultChannels}) => defaultChannels.size === 2);
  press('z');
  await until(({defaultChannels}) => defaultChannels.size === 0);
});

test('default channels: a member only looks', async () => {
  const {app, press} = await organizationFixture('member');
  defaultChannelList.open(app);
  press('Ctrl-A');
  expect(app.screen.toast?.text).toBe('Only administrators can change this');
});
