import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {accountsFixture, organizationsFixture} from './organizations-fixture.ts';

const carol = {kind: 'direct', userIds: [11]} as const;

test('organizations: what an account in the background would show stays unread until it is on the screen', () => {
  const {fixtures, press} = organizationsFixture({acme: undefined, beta: undefined}, 'separate');
  const [, beta] = fixtures;
  if (beta === undefined) throw new Error('The fixture has two accounts');
  openConversation(beta.app, carol);
  beta.load(carol);
  expect(beta.unread()).toContain(3);
  press('Alt-2');
  expect(beta.unread()).not.toContain(3);
});

test('organizations: an error of an account in the background is shown with its name', () => {
  const {fixtures, shown} = organizationsFixture({acme: undefined, beta: undefined});
  const [, beta] = fixtures;
  beta?.app.toast('Not sent to Carol', 'error');
  beta?.app.frames.paintNow();
  expect([shown().info.accountName, shown().screen.toast?.text]).toEqual(['acme', 'beta: Not sent to Carol']);
});

test('organizations: shown separately, an error of an account in the background is not shown', () => {
  const {fixtures, shown} = organizationsFixture({acme: undefined, beta: undefined}, 'separate');
  const [, beta] = fixtures;
  beta?.app.toast('Not sent to Carol', 'error');
  beta?.app.frames.paintNow();
  expect([shown().info.accountName, shown().screen.toast]).toEqual(['acme', undefined]);
});

test('organizations: an error is shown once, and what is no error stays in its account', () => {
  const {fixtures, shown} = organizationsFixture({acme: undefined, beta: undefined});
  const [acme, beta] = fixtures;
  beta?.app.toast('Muted Carol');
  beta?.app.frames.paintNow();
  expect(shown().screen.toast).toBeUndefined();
  beta?.app.toast('Not sent to Carol', 'error');
  beta?.app.frames.paintNow();
  expect(shown().screen.toast?.text).toBe('beta: Not sent to Carol');
  acme?.app.toast('Starred');
  beta?.app.set({hasWindowFocus: false});
  beta?.app.frames.paintNow();
  expect(shown().screen.toast?.text).toBe('Starred');
});

test('organizations: the frame of another account is without what that one showed of others', () => {
  const {shown, press, at} = organizationsFixture({acme: undefined, beta: undefined});
  while (!at().startsWith('beta')) press('j');
  const frames = shown().frame.organizations?.all.map(({frame}) => frame);
  expect(frames?.map((frame) => frame !== undefined)).toEqual([true, false]);
  expect(frames?.[0]?.organizations).toBeUndefined();
});

test('organizations: undo in another one shows the same merged list there, also if that one showed a conversation', () => {
  const {fixtures, shown, press, at} = organizationsFixture({acme: undefined, beta: undefined});
  const [, beta] = fixtures;
  if (beta === undefined) throw new Error('The fixture has two accounts');
  while (!at().startsWith('beta')) press('j');
  press('e', 'Home');
  openConversation(beta.app, carol);
  beta.app.frames.paintNow();
  expect(shown().info.accountName).toBe('acme');
  press('z');
  expect([shown().info.accountName, shown().screen.view.kind]).toEqual(['beta', 'inbox']);
});

test('organizations: redo acts in the one where something was undone, and shows the list there', () => {
  const {organizations, shown, press, at} = organizationsFixture({acme: undefined, beta: undefined, gamma: undefined});
  const unread = () => organizations.apps.map(({state}) => state.unreads.byId.size);
  const before = unread();
  while (!at().startsWith('beta')) press('j');
  press('e');
  const done = unread();
  expect(done[1]).toBeLessThan(before[1] ?? 0);
  press('z');
  expect(unread()).toEqual(before);
  press('Home');
  expect(shown().info.accountName).toBe('acme');
  press('Ctrl-R');
  expect([unread(), shown().info.accountName, shown().screen.view.kind]).toEqual([done, 'beta', 'inbox']);
});

test('organizations: one that could not be opened says why, until it is opened', () => {
  const {organizations, accounts, shown} = accountsFixture(['acme', 'beta'], 'grouped');
  const open = (index: number, accountName: string) => {
    const {app} = triageFixture({accounts, info: {accountName, accountCount: 2}, connection: 'offline'});
    organizations.add(index, app);
    app.frames.paintNow();
  };
  open(0, 'acme');
  organizations.fail(1, 'The key is not accepted');
  shown().frames.paintNow();
  const problem = () => shown().frame.organizations?.all[1]?.problem;
  expect([organizations.problemOf(1), problem()]).toEqual(Array(2).fill('The key is not accepted'));
  open(1, 'beta');
  shown().frames.paintNow();
  expect(organizations.problemOf(1)).toBeUndefined();
  expect(problem()).toMatch(/^not connected since/);
});
