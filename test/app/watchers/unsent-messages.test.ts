import {expect, test} from 'vitest';
import {PermanentFailure} from '#api/failure.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {watchUnsentMessages} from '#app/watchers/unsent-messages.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {backend, triageFixture} from '#test/app/inbox/triage-fixture.ts';

const facts = {endpoint: 'message.send', carriedOut: 'no', status: 400, code: 'BAD_REQUEST'} as const;

/** A server that takes no message. */
function refusingStage() {
  const sendMessage = () => Promise.reject(new PermanentFailure('You may not write here.', facts));
  const stage = triageFixture({api: {sendMessage}});
  const {app, session} = stage;
  watchUnsentMessages(app);
  return {
    ...stage,
    connect: () => session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}}),
    /** So many were sent and refused, and whoever listens has heard of it. */
    refused: async (count: number) => {
      await new Promise<void>((resolve) => {
        // Told after those who listen already.
        const leave = session.cache.subscribe(['outbox'], ({outbox}) => {
          if (outbox.filter(({status}) => status === 'failed').length < count) return;
          leave();
          resolve();
        });
        session.outbox.online();
      });
    },
  };
}

test('a reply waits for the connection, says so, and when it is refused then, it is told where it is', async () => {
  const {press, type, toast, unread, connect, refused, app, at} = refusingStage();
  press('r');
  type('yes');
  press('Enter');
  expect(toast()).toBe('Reply in #backend › freeze waits for the connection, marked read (2) · z undo');
  expect(at()).toBe('Carol Diaz');
  connect();
  await refused(1);
  expect(toast()).toBe('Not sent to #backend › freeze: You may not write here. · g o shows it');
  press('z');
  expect(toast()).toBe('Unread again: #backend › freeze (2) · the reply stays');
  expect(unread()).toHaveLength(8);
  expect(at()).toBe('#backend › freeze');
  expect(app.state.outbox).toMatchObject([{status: 'failed', content: 'yes'}]);
  press('g', 'o');
  expect(app.screen.view).toEqual({kind: 'drafts', tab: 'outbox'});
});

test('a reply with a connection is said to be one', () => {
  const {press, type, toast, connect} = refusingStage();
  connect();
  press('r');
  type('yes');
  press('Enter');
  expect(toast()).toBe('Replied in #backend › freeze, marked read (2) · z undo');
});

test('several that are refused together are told together, and none where it can be seen', async () => {
  const {session, toast, connect, refused, app} = refusingStage();
  const conversation = topicConversation(backend, 'freeze');
  session.outbox.send({conversation, content: 'one'});
  session.outbox.send({conversation, content: 'two'});
  connect();
  await refused(2);
  expect(toast()).toBe('2 messages were not sent · g o shows them');
  app.set({toast: undefined});
  openConversation(app, conversation);
  session.outbox.send({conversation, content: 'three'});
  await refused(3);
  expect(app.state.outbox).toHaveLength(3);
  expect(toast()).toBeUndefined();
});
