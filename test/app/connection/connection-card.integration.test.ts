import {expect, test} from 'vitest';
import {topicConversation} from '#state/model/conversation.ts';
import {messageFixture} from '#test/app/message-actions/message-fixture.ts';
import {fastClock, waitForState} from '#test/state/session-fixture.ts';

type Options = Parameters<typeof messageFixture>[0];

/** Meg's client with the connection screen open, which follows the connection fifty times a second. */
async function connectionCard(options: Options = {}) {
  const parts = await messageFixture({...options, app: {clock: fastClock, ...options?.app}});
  const {press, type} = parts;
  press(';');
  type('connection status');
  press('Enter');
  await parts.says('Event queue');
  return parts;
}

test('connection screen: the state, the queue, the rate limit and the last requests', async () => {
  const {session, says, fixture} = await connectionCard();
  const text = await says(/State +Connected/);
  expect(text).toContain(session.queueStatus.id);
  expect(text).toMatch(/Rate limit +\d+ of 200 requests left, all again in \d+ s/);
  expect(text).toMatch(/\d+ ms +queue register, /);
  expect(text).toMatch(/Outbox +empty/);
  await fixture.postMessage('an event');
  await says(/Last event +number \d+/);
});

test('connection screen: R replaces the event queue, and the card shows the new one', async () => {
  const {session, fixture, press, says} = await connectionCard();
  const before = session.queueStatus.id ?? '';
  const registrations = fixture.registrations;
  press('R');
  const text = await says(new RegExp(`Event queue +(?!${before})[0-9a-f-]{8}`));
  expect(text).not.toContain(before);
  expect(fixture.registrations).toBe(registrations + 1);
});

test('connection screen: an outage is shown with its reason and the next attempt, and r ends it', async () => {
  const {session, fixture, press, says} = await connectionCard();
  await fixture.hook('fault', {path: '/events', kind: 'html', status: 503, times: 1000});
  // Ends the poll that is waiting, so that the next one meets the fault.
  await fixture.postMessage('wake up');
  const text = await says(/State +Offline since \d/);
  expect(text).toMatch(/Reason +\S+/);
  await says(/Next try +(?:in \d+ s|now)/);
  await fixture.hook('clear-faults');
  press('r');
  await waitForState(session, ({connection}) => connection.phase === 'online');
  await says(/State +Connected/);
});

test('connection screen: lists the outbox and unconfirmed changes, and s sends them', async () => {
  const {app, session, fixture, press, says} = await connectionCard();
  press('s');
  expect(app.screen.toast?.text).toBe('The outbox is empty');
  await fixture.hook('fault', {path: '/messages', method: 'POST', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  session.outbox.send({conversation: topicConversation(fixture.channelId, 'talk'), content: 'a secret plan'});
  const text = await says('not sent: Injected fault.');
  expect(text).toMatch(/Outbox +1 message/);
  expect(text).toContain('#general › talk: a secret plan');
  press('s');
  expect(app.screen.toast?.text).toBe('1 needs your decision · g o');
});

test('connection screen: diagnostics are copied without messages and without the key', async () => {
  const {fixture, session, press, says, deviceCalls} = await connectionCard();
  await fixture.hook('fault', {path: '/messages', method: 'POST', kind: 'status', status: 400, code: 'BAD_REQUEST'});
  session.outbox.send({conversation: topicConversation(fixture.channelId, 'talk'), content: 'a secret plan'});
  await says('a secret plan');
  press('c');
  const copied = String(deviceCalls.find(([name]) => name === 'copy')?.[1]);
  expect(copied).toMatch(/feature level 509\nState: Connected/);
  expect(copied).toContain('Outbox: 1 message');
  expect(copied).not.toContain('secret plan');
  expect(copied).not.toContain(fixture.meg.apiKey);
});

test('connection commands: the palette reloads the account, and a read-only session sends nothing', async () => {
  const {app, fixture, press, type, session} = await messageFixture({app: {info: {isReadOnly: true}}});
  const before = session.queueStatus.id;
  press(';');
  type('reload the account');
  press('Enter');
  await waitForState(session, () => session.queueStatus.id !== undefined && session.queueStatus.id !== before);
  expect(fixture.registrations).toBe(2);
  press(';');
  type('send the outbox now');
  press('Enter');
  expect(app.screen.toast?.text).toBe('This session is read-only: nothing is changed');
});
