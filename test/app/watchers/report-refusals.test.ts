import {expect, test} from 'vitest';
import {PermanentFailure} from '#api/failure.ts';
import {openUndoHistory} from '#app/undo/undo-history-picker.ts';
import {backend, triageFixture} from '#test/app/inbox/triage-fixture.ts';

const problem = 'The server takes no such thing today.';
const facts = {endpoint: 'flags.update', carriedOut: 'no', status: 400, code: 'BAD_REQUEST'} as const;

interface Taken {
  readonly messages?: (ids: readonly number[]) => boolean;
  readonly topicsOf?: number;
}

/** The inbox, without a connection at first, of a server that takes only what it is told to. */
function refusingStage({messages: isTaken = () => false, topicsOf}: Taken = {}) {
  const answer = <T>(isDone: boolean, more: T) =>
    isDone
      ? Promise.resolve({result: 'success', msg: '', ...more} as const)
      : Promise.reject(new PermanentFailure(problem, facts));
  const stage = triageFixture({
    api: {
      updateFlags: ({messages}) =>
        answer(isTaken(messages), {messages, ignored_because_not_subscribed_channels: []}),
      setUserTopic: ({stream_id: channelId}) => answer(channelId === topicsOf, {}),
    },
  });
  const {session} = stage;
  return {
    ...stage,
    /** All that waits has been sent, and answered. */
    connect: async () => {
      session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
      session.pendingChanges.online();
      await session.pendingChanges.idle();
      stage.app.frames.paintNow();
    },
  };
}

test('what the server refuses is said with its reason, and undoing it says so and undoes nothing older', async () => {
  const {press, connect, toast, unread, at, app} = refusingStage({messages: (ids) => !ids.includes(1)});
  press('j', 'e', 'k', 'k', 'e');
  expect(unread()).toEqual([4, 5, 6, 7, 8]);
  await connect();
  expect(toast()).toBe(`Refused by the server: Marked #backend › freeze read (2) · ${problem}`);
  expect(unread()).toEqual([1, 2, 4, 5, 6, 7, 8]);
  expect(app.screen.inbox.log.map(({keys}) => keys)).toEqual([['d11']]);
  press('z');
  expect(toast()).toMatch(
    /^The server had refused it: Marked #backend › freeze read \(2\) · z again undoes: Marked Carol/,
  );
  expect(unread()).not.toContain(3);
  expect(at()).toBe('#backend › freeze');
  press('z');
  expect(unread()).toContain(3);
});

test('what was refused is not among what was done, also after a restart', async () => {
  const {press, connect, app, store, clock} = refusingStage();
  press('e');
  await connect();
  expect(app.undoStack.list().filter(({record: kept}) => kept !== undefined)).toEqual([]);
  app.end();
  expect(triageFixture({store, clock}).app.undoStack.list()).toEqual([]);
});

test('several refusals of one moment are told together', async () => {
  const {press, connect, toast, unread} = refusingStage();
  press('e', 'e', 'e');
  await connect();
  expect(toast()).toBe(`Refused by the server: 3 changes · ${problem}`);
  expect(unread()).toHaveLength(8);
});

test('of several rows that were one, all refused, nothing is left to take back', async () => {
  const {press, connect, toast, app} = refusingStage();
  press('j', 'j', 'v', 'v', 'M');
  await connect();
  expect(toast()).toBe(`Refused by the server: 2 changes · ${problem}`);
  expect(app.screen.inbox.log).toEqual([]);
  press('z');
  expect(toast()).toBe('The server had refused it: Muted 2 conversations');
});

test('of several rows that were one, those that the server took can be taken back', async () => {
  const {press, connect, toast, app} = refusingStage({topicsOf: backend});
  const muted = () =>
    [...app.state.userTopics.values()].flatMap(({topic, policy}) => (policy === 1 ? [topic] : []));
  press('j', 'j', 'v', 'v', 'M');
  expect(muted()).toEqual(['login', 'logs']);
  await connect();
  expect(toast()).toBe(`Refused by the server: Muted 2 conversations · ${problem}`);
  expect(muted()).toEqual(['logs']);
  press('z');
  expect(toast()).toBe('Undone: Muted 2 conversations');
  expect(muted()).toEqual([]);
});

test('what is refused while one looks at what was done moves nothing under the cursor', async () => {
  const {press, connect, unread, app} = refusingStage({messages: (ids) => !ids.includes(7)});
  press('e', 'e', 'e');
  expect(unread()).toEqual([4, 5, 6, 8]);
  openUndoHistory(app);
  press('Down');
  await connect();
  expect(unread()).toEqual([4, 5, 6, 7, 8]);
  press('Enter');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
});
