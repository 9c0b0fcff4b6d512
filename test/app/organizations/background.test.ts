import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {organizationsFixture} from './organizations-fixture.ts';

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
