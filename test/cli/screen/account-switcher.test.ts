import {writeFileSync} from 'node:fs';
import {expect, type MockInstance, onTestFinished, test, vi} from 'vitest';
import type {App} from '#app/core/app.ts';
import {changeOtherPane, openInOtherPane} from '#app/panes/other-pane.ts';
import type {AccountApp} from '#cli/screen/account-app.ts';
import {AccountSwitcher} from '#cli/screen/account-switcher.ts';
import {accountAppFixture} from './account-app-fixture.ts';

interface SwitcherOptions {
  readonly canBeTogether?: boolean;
  /** What an account waits for before it is opened. */
  readonly gates?: Readonly<Record<string, Promise<void>>>;
}

/** Meg and Otto on one screen, of which Meg is shown. */
async function switcherFixture({canBeTogether = true, gates = {}}: SwitcherOptions = {}) {
  const fixture = await accountAppFixture();
  let shown: App | undefined;
  const stops = new Map<string, MockInstance<AccountApp['stop']>>();
  const switcher = new AccountSwitcher({
    host: {
      show: (app: App) => {
        shown = app;
      },
      get shown() {
        return shown;
      },
    },
    names: ['meg', 'otto'],
    io: fixture.io,
    openNamed: async (name) => {
      await gates[name];
      const account = await fixture.open(name);
      stops.set(name, vi.spyOn(account, 'stop'));
      return account;
    },
    remove: () => {},
    canBeTogether,
  });
  onTestFinished(() => switcher.stop());
  switcher.arrange('grouped');
  const first = await switcher.openFirst('meg');
  first.start(false);
  return {...fixture, switcher, first, stops, shownName: () => shown?.info.accountName};
}

test.each([
  ['all are shown together', true, ['meg', 'otto']],
  ['the first is the demo or a file', false, ['meg']],
] as const)(
  'account switcher: where %s, the other accounts are opened by themselves: %s',
  async (_, canBeTogether, expected) => {
    const {switcher, shownName} = await switcherFixture({canBeTogether});
    await switcher.openOthers();
    expect(switcher.opened.map(({app}) => app.info.accountName)).toEqual(expected);
    expect(shownName()).toBe('meg');
    switcher.show(1);
    await expect.poll(shownName).toBe('otto');
    expect(switcher.opened).toHaveLength(2);
  },
);

test('account switcher: an account that is opened slowly is not shown once the user has gone back to another', async () => {
  const {promise: gate, resolve: open} = Promise.withResolvers<void>();
  const {switcher, shownName} = await switcherFixture({gates: {otto: gate}});
  switcher.show(1);
  switcher.show(0);
  open();
  await expect.poll(() => switcher.opened).toHaveLength(2);
  expect(shownName()).toBe('meg');
  switcher.show(1);
  expect(shownName()).toBe('otto');
});

test('account switcher: an account that is still being opened when the program ends is stopped', async () => {
  const {promise: gate, resolve: open} = Promise.withResolvers<void>();
  const {switcher, stops} = await switcherFixture({gates: {otto: gate}});
  switcher.show(1);
  await switcher.stop();
  open();
  await expect.poll(() => stops.get('otto')?.mock.calls).toHaveLength(1);
  expect(switcher.opened).toHaveLength(1);
});

test('account switcher: where accounts are no longer shown together, a second pane of another one is closed', async () => {
  const {switcher, first} = await switcherFixture();
  const open = (organization: number | undefined) => {
    openInOtherPane(first.app, 'beside', () => {});
    changeOtherPane(first.app, {organization});
    expect(first.app.screen.otherPane).toBeDefined();
  };
  open(1);
  switcher.arrange('mixed');
  expect(first.app.screen.otherPane).toBeDefined();
  switcher.arrange('separate');
  expect(first.app.screen.otherPane).toBeUndefined();
  open(undefined);
  switcher.arrange('separate');
  expect(first.app.screen.otherPane).toBeDefined();
});

test('account switcher: a login to a known account connects it with the new key, and to a new one adds it', async () => {
  const {switcher, server, meg, first, fileOf, shownName, io} = await switcherFixture();
  await first.app.session.ready();
  const {api_key: key} = await server.as(meg).post('/users/me/api_key/regenerate');
  await expect.poll(() => first.app.state.connection.phase).toBe('signedOut');
  const file = `${io.home}/zuliprc`;
  writeFileSync(file, `[api]\nemail=${meg.email}\nkey=${key}\nsite=${server.url}\n`, {mode: 0o600});
  switcher.show(1);
  await expect.poll(shownName).toBe('otto');
  await switcher.startLogin(file);
  await expect.poll(shownName).toBe('meg');
  await expect.poll(() => first.app.state.connection.phase).toBe('online');
  expect(switcher.list().map(({name}) => name)).toEqual(['meg', 'otto']);
  expect(fileOf('meg')).toBeDefined();
});

test('account switcher: a removal names what only this machine has of an open account, and nothing that the server has', async () => {
  const {switcher, first, server, meg, otto} = await switcherFixture();
  const {session} = first.app;
  await session.ready();
  expect(switcher.removalOf(0)).toEqual({lost: ''});
  session.drafts.edit(undefined, {target: {kind: 'direct', userIds: [otto.id]}, content: 'saved there'});
  await session.drafts.flush();
  expect((await server.as(meg).get('/drafts')).drafts).toHaveLength(1);
  expect(switcher.removalOf(0)).toEqual({lost: ''});
  session.drafts.edit(undefined, {target: {kind: 'direct', userIds: [otto.id]}, content: 'only here'});
  expect(switcher.removalOf(0)).toEqual({lost: expect.stringMatching(/^1 draft/)});
  expect(switcher.removalOf(1)).toEqual({lost: ''});
});
