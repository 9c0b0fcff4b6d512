import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
  administrationReason,
  exportList,
  openAdministrationList,
  openDeactivationForm,
} from '#app/organization/data-exports.ts';
import {openOrganizationMenu} from '#app/organization/organization-menu.ts';
import type {ExportWriter} from '#server/context.ts';
import {systemClock} from '#std/clock.ts';
import {png} from '#test/contract/contract-fixture.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {organizationFixture} from './organization-fixture.ts';

const device = {
  listFiles: () => [{name: 'icon.png', isDirectory: false}],
  readFile: async () => ({name: 'icon.png', bytes: new Uint8Array(png), size: png.length}),
};

test('organization: an administrator uploads an icon and removes it again', async () => {
  const {app, press, type, goTo, toast, until} = await organizationFixture('administrator', {app: {device}});
  openOrganizationMenu(app);
  type('profile of the');
  press('Enter');
  goTo('Upload an icon…');
  press('Enter');
  type('icon');
  press('Enter');
  await toast('Changed the picture');
  await until(({realm}) => realm.iconSource === 'U');
  goTo('Remove the icon…');
  press('Enter', 'y');
  await toast('Removed the icon of the organization');
  await until(({realm}) => realm.iconSource !== 'U');
});

test('organization: an export is requested, shown as ready when it is, saved and deleted', async () => {
  const archive = join(scratchDirectory(), 'zulip-export.tar.gz');
  let finish = () => {};
  const writing = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const writeExport: ExportWriter = async () => {
    await writing;
    writeFileSync(archive, 'packed');
    return {archive, remove: () => rmSync(archive)};
  };
  // Looks again at once.
  const clock = {
    ...systemClock,
    after: (ms: number, task: () => void) => systemClock.after(ms === 10_000 ? 20 : ms, task),
  };
  const {app, press, says, rows, toast, deviceCalls} = await organizationFixture('administrator', {
    server: {writeExport},
    app: {clock},
  });
  exportList.open(app);
  await says('No exports');
  press('Ctrl-A', 'Ctrl-D');
  await says('being written');
  finish();
  await says(/by Meg Member +ready/);
  expect(rows().at(-1)).toMatch(/Public data +today.* by Meg Member +ready/);
  press('Down', 'Enter');
  await toast('Saved');
  expect(deviceCalls).toContainEqual(['saveFile', 'zulip-export.tar.gz', 6]);
  press('Delete', 'y');
  await toast('Deleted the export');
  await says(/by Meg Member +deleted/);
  press('Enter');
  await toast('There is no file to save');
});

test('organization: an owner deactivates it after typing its name, and nobody else can', async () => {
  const {app, press, type, overlay, toast, owner, fixture, until} = await organizationFixture('owner');
  await owner.patch('/realm', {name: 'Harbor'});
  await until(({realm}) => realm.name === 'Harbor');
  openDeactivationForm(app);
  type('harbor');
  press('Ctrl-D');
  expect(overlay()).toContain('Type “Harbor”');
  await fixture.server.as(fixture.otto).get('/users/me');
  press('Ctrl-U');
  type('Harbor');
  press('Ctrl-D');
  await toast('Deactivated the organization');
  await fixture.server.as(fixture.otto).refused('GET', '/users/me', {}, {code: 'REALM_DEACTIVATED', status: 401});
  await until(({connection}) => connection.phase === 'signedOut' && connection.isDeactivated === true);
});

test('organization: the menu says that only owners deactivate and only administrators export', async () => {
  const {app, press, type, toast} = await organizationFixture('member');
  openOrganizationMenu(app);
  type('deactivate the');
  press('Enter');
  await toast('Only owners can change this');
  press('Esc');
  openOrganizationMenu(app);
  type('data exports');
  press('Enter');
  await toast('Only administrators can change this');
});

test('organization: owners see a list of who changed what, and others are told whose it is', async () => {
  const {app, press, owner, fixture, says} = await organizationFixture('owner');
  await owner.patch(`/users/${fixture.otto.id}`, {role: 300});
  openAdministrationList(app);
  expect(await says(/Changed Otto \(role: member → moderator\) +by/)).toMatch(/Changed Meg Member \(role: .*\) +by/);
  press('Esc');
  const member = await organizationFixture('member');
  openOrganizationMenu(member.app);
  member.type('administration log');
  member.press('Enter');
  await member.toast('Only owners can look at this');
});

test('organization: a server of Zulip has no list of changes for clients, and the menu says so', async () => {
  const {app} = await organizationFixture('owner');
  const {account} = app.frame;
  const server = {...account.server, version: '12.0'};
  expect(administrationReason({...app.frame, account: {...account, server}})).toBe(
    'Only Parley’s own server has this list',
  );
  expect(administrationReason(app.frame)).toBeUndefined();
});

test('organization: at 40 columns the lines below the list of changes show who made the one under the cursor', async () => {
  const {app, says} = await organizationFixture('owner', {app: {size: '40x18'}});
  openAdministrationList(app);
  await says(/Changed Meg Member \(role: \w+ →\s+\w+\), by\s+Olive\s+Owner/);
});
