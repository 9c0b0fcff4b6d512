import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {messageFixture, untilApp} from '#test/app/message-actions/message-fixture.ts';
import {waitForState} from '#test/state/session-fixture.ts';

/** Meg with a message of Otto selected, in an organization with this provider (its number in the settings). */
async function callFixture(provider: number, options: Parameters<typeof messageFixture>[0] = {}) {
  const parts = await messageFixture(options);
  const {fixture, session, select} = parts;
  fixture.server.people.setting('video_chat_provider', provider);
  await fixture.hook('expire-queues');
  await waitForState(session, ({realm}) => realm.videoChatProvider === provider);
  await select(await fixture.postMessage('shall we talk?'));
  return parts;
}

const text = (app: App) => app.screen.composer.field.text;

/** Refuses the next request for a call with this error. */
function fault(code: string, path = '/calls/') {
  return {path, kind: 'status', status: 400, code};
}

test('video call: Ctrl-X v inserts a Jitsi link without a request, Ctrl-X V an audio-only one', async () => {
  const {app, press, type} = await callFixture(1);
  press('r');
  type('Join me: ');
  press('Ctrl-X', 'v');
  await untilApp(app, () => text(app).includes('['));
  expect(text(app)).toMatch(/^Join me: \[Join video call\.\]\(https:\/\/meet\.jit\.si\/\d{15}\) $/);
  press('Ctrl-U', 'Ctrl-X', 'V');
  await untilApp(app, () => text(app).includes('['));
  expect(text(app)).toMatch(
    /\[Join audio call\.\]\(https:\/\/meet\.jit\.si\/\d{15}#config\.startWithVideoMuted=true\) $/,
  );
});

test('video call: from the palette it opens the composer of the conversation', async () => {
  const {app, fixture, press, type} = await callFixture(8);
  fixture.server.context.db.run('UPDATE user SET video_token = 1');
  press(';');
  type('video call');
  press('Enter');
  await untilApp(app, () => text(app) !== '');
  expect(text(app)).toMatch(/^\[Join video call\.\]\(https:\/\/meet\.jit\.si\/[\w-]+\) $/);
  expect(app.screen.composer).toMatchObject({isOpen: true, target: {kind: 'topic', topic: 'talk'}});
});

test('video call: the link of a message that was left meanwhile is copied and goes into no other message', async () => {
  const {app, fixture, press, type, deviceCalls, says} = await callFixture(8);
  fixture.server.context.db.run('UPDATE user SET video_token = 1');
  await fixture.hook('fault', {path: '/calls/', kind: 'delay', delay_ms: 100});
  press('r');
  type('Join me: ');
  press('Ctrl-X', 'v', 'Esc');
  await says('You left the message, so the link is copied');
  expect(text(app)).not.toContain('[Join');
  expect(deviceCalls).toContainEqual(['copy', expect.stringMatching(/^https:\/\/meet\.jit\.si\//)]);
});

test('video call: without a connected account it offers the page, and starts once the account is connected', async () => {
  const {app, deviceCalls, fixture, session, press, says, overlay} = await callFixture(8);
  press('r', 'Ctrl-X', 'v');
  await says('Connect your Conference account first');
  const url = `${fixture.server.url}/calls/conference/register`;
  press('s');
  expect(app.screen.toast?.text).toBe('Connect your account first');
  press('o');
  expect(deviceCalls.filter(([name]) => name === 'open')).toEqual([['open', url]]);
  // The provider's page sets the token; a new registration reports it.
  fixture.server.context.db.run('UPDATE user SET video_token = 1');
  await fixture.hook('expire-queues');
  await waitForState(session, ({videoTokens}) => videoTokens.conference === true);
  press('s');
  expect(overlay()).toBeUndefined();
  await untilApp(app, () => text(app).includes('[Join video call.]'));
});

test.each([
  [3, 'UNKNOWN_ZOOM_USER', /No call started: Zoom has no account with your email address meg\.member@example\.com\./],
  [4, 'BAD_REQUEST', /No call started: Injected fault\./],
  [7, 'BAD_REQUEST', /No call started: Injected fault\./],
  [3, 'INVALID_VIDEO_CALL_PROVIDER_TOKEN', /Connect your Zoom account first/],
])('video call: provider %i, the error %s is explained', async (provider, code, expected) => {
  const {app, fixture, press, says} = await callFixture(provider);
  await fixture.hook('fault', fault(code));
  press('r', 'Ctrl-X', 'v');
  await says(expected);
  expect(text(app)).toBe('');
});

test.each([
  [0, 'v', 'Video calls are turned off in this organization.'],
  [8, 'V', 'Conference has no audio-only calls.'],
  [99, 'v', 'Parley cannot start calls with the video call service of this organization.'],
])('video call: provider %i, the key %s says why there is no call', async (provider, key, reason) => {
  const {app, press} = await callFixture(provider);
  press('r', 'Ctrl-X', key);
  expect(app.screen.toast?.text).toBe(reason);
});

test('video call: a read-only session starts none', async () => {
  const {app, press, type} = await callFixture(1, {app: {info: {isReadOnly: true}}});
  press(';');
  type('start video call');
  press('Enter');
  expect(app.screen.toast?.text).toBe('This session is read-only: nothing is changed');
  expect(app.screen.composer.isOpen).toBe(false);
});

test('video call: that the browser or the clipboard failed is shown', async () => {
  const open = async () => Promise.reject(new Error('The browser cannot be started.'));
  const copy = async () => Promise.reject(new Error('The clipboard is locked.'));
  const {app, press, says} = await callFixture(8, {app: {device: {open, copy}}});
  press('r', 'Ctrl-X', 'v');
  await says('Connect your Conference account first');
  press('o');
  await untilApp(app, () => app.screen.toast?.text === 'The browser cannot be started.');
  press('c');
  await untilApp(app, () => app.screen.toast?.text === 'The clipboard is locked.');
});
