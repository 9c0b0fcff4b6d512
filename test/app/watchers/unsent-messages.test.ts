import {expect, test} from 'vitest';
import {openConversation} from '#app/navigation/navigation.ts';
import {watchUnsentMessages} from '#app/watchers/watch-unsent.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {backend, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {PermanentFailure} from '#wire/failure.ts';

const info = {endpoint: 'message.send', carriedOut: 'no', status: 400, code: 'BAD_REQUEST'} as const;

/** The inbox of a server that refuses every message. */
function refusingFixture() {
  const sendMessage = () => Promise.reject(new PermanentFailure('You may not write here.', info));
  const fixture = triageFixture({api: {sendMessage}, connection: 'offline'});
  const {app, session} = fixture;
  watchUnsentMessages(app);
  return {
    ...fixture,
    connect: () => session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}}),
    /** Sends the outbox and waits until the given number of messages failed. */
    untilRefused: async (count: number) => {
      await new Promise<void>((resolve) => {
        // Listeners that subscribed earlier are called before this one.
        const unsubscribe = session.cache.subscribe(['outbox'], ({outbox}) => {
          if (outbox.filter(({status}) => status === 'failed').length < count) return;
          unsubscribe();
          resolve();
        });
        session.outbox.online();
      });
    },
  };
}

test('unsent messages: a reply that waits for the connection says so, and a later refusal is reported with where to find it', async () => {
  const {press, type, toast, unread, connect, untilRefused, app, at} = refusingFixture();
  press('r');
  type('yes');
  press('Enter');
  expect(toast()).toBe('Reply in #backend › freeze waits for the connection, marked read (2) · z undo');
  expect(at()).toBe('Carol Diaz');
  connect();
  await untilRefused(1);
  expect(toast()).toBe('Not sent to #backend › freeze: You may not write here. · g o opens the outbox');
  press('z');
  expect(toast()).toBe('Unread again: #backend › freeze (2) · the reply stays · Z redo');
  expect(unread()).toHaveLength(8);
  expect(at()).toBe('#backend › freeze');
  expect(app.state.outbox).toMatchObject([{status: 'failed', content: 'yes'}]);
  press('g', 'o');
  expect(app.screen.view).toEqual({kind: 'drafts', tab: 'outbox'});
});

test('unsent messages: a reply with a connection is reported as sent', () => {
  const {press, type, toast, connect} = refusingFixture();
  connect();
  press('r');
  type('yes');
  press('Enter');
  expect(toast()).toBe('Replied in #backend › freeze, marked read (2) · z undo');
});

test('unsent messages: several failures are reported together, and none while its conversation is on screen', async () => {
  const {session, toast, connect, untilRefused, app} = refusingFixture();
  const conversation = topicConversation(backend, 'freeze');
  session.outbox.send({conversation, content: 'one'});
  session.outbox.send({conversation, content: 'two'});
  connect();
  await untilRefused(2);
  expect(toast()).toBe('2 messages were not sent · g o opens the outbox');
  app.set({toast: undefined});
  openConversation(app, conversation);
  session.outbox.send({conversation, content: 'three'});
  await untilRefused(3);
  expect(app.state.outbox).toHaveLength(3);
  expect(toast()).toBeUndefined();
});

test('unsent messages: one that failed is reported once, and another one soon after together with it', async () => {
  const {app, session, clock, toast} = refusingFixture();
  const failed = (id: string) => eg.outboxEntry({id, status: 'failed', conversation: topicConversation(backend, id)});
  const change = (...outbox: ReturnType<typeof failed>[]) => session.cache.apply({type: 'outbox_changed', outbox});
  const said = async (...outbox: ReturnType<typeof failed>[]) => {
    app.set({toast: undefined});
    change(...outbox);
    // Changes of the cache are announced in a later turn.
    await new Promise((resolve) => setTimeout(resolve));
    return toast();
  };
  expect(await said(failed('a'))).toMatch(/^Not sent to #backend › a/);
  expect(await said(failed('a'), eg.outboxEntry({id: 'b', status: 'queued'}))).toBeUndefined();
  expect(await said(failed('a'), failed('b'))).toMatch(/^2 messages were not sent/);
  clock.advance(10_000);
  expect(await said(failed('a'), failed('b'), failed('c'))).toMatch(/^Not sent to #backend › c/);
});
