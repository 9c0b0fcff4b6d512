import {expect, test} from 'vitest';
import {openUndoHistory} from '#app/undo/undo.ts';
import {backend, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {PermanentFailure} from '#wire/failure.ts';

const problem = 'The server takes no such thing today.';
const info = {endpoint: 'flags.update', carriedOut: 'no', status: 400, code: 'BAD_REQUEST'} as const;

interface AcceptedChanges {
  readonly messages?: (ids: readonly number[]) => boolean;
  readonly topicsOf?: number;
}

/** The inbox, offline at first, of a server that accepts only the given changes. */
function refusingFixture({messages: isAccepted = () => false, topicsOf}: AcceptedChanges = {}) {
  const respond = <T>(isSuccess: boolean, fields: T) =>
    isSuccess
      ? Promise.resolve({result: 'success', msg: '', ...fields} as const)
      : Promise.reject(new PermanentFailure(problem, info));
  const fixture = triageFixture({
    api: {
      updateFlags: ({messages}) =>
        respond(isAccepted(messages), {messages, ignored_because_not_subscribed_channels: []}),
      setUserTopic: ({stream_id: channelId}) => respond(channelId === topicsOf, {}),
    },
  });
  const {session} = fixture;
  return {
    ...fixture,
    /** Sends all pending changes and waits for the responses. */
    connect: async () => {
      session.cache.apply({type: 'connection_changed', connection: {phase: 'online'}});
      session.pendingChanges.online();
      await session.pendingChanges.idle();
      fixture.app.frames.paintNow();
    },
  };
}

test('refusals: a refused change is reported with its reason, and undo says so and undoes nothing older', async () => {
  const {press, connect, toast, unread, at, app} = refusingFixture({messages: (ids) => !ids.includes(1)});
  press('j', 'e', 'k', 'k', 'e');
  expect(unread()).toEqual([4, 5, 6, 7, 8]);
  await connect();
  expect(toast()).toBe(`Refused by the server: Marked #backend › freeze read (2) · ${problem}`);
  expect(unread()).toEqual([1, 2, 4, 5, 6, 7, 8]);
  expect(app.screen.inbox.log.map(({keys}) => keys)).toEqual([['d11']]);
  press('z');
  expect(toast()).toMatch(/^The server refused: Marked #backend › freeze read \(2\) · z again undoes: Marked Carol/);
  expect(unread()).not.toContain(3);
  expect(at()).toBe('#backend › freeze');
  press('z');
  expect(unread()).toContain(3);
});

test('refusals: a refused action is not in the undo history, also after a restart', async () => {
  const {press, connect, app, store, clock} = refusingFixture();
  press('e');
  await connect();
  expect(app.undoStack.list().filter(({record}) => record !== undefined)).toEqual([]);
  app.end();
  expect(triageFixture({store, clock}).app.undoStack.list()).toEqual([]);
});

test('refusals: several refusals at once are reported together', async () => {
  const {press, connect, toast, unread} = refusingFixture();
  press('e', 'e', 'e');
  await connect();
  expect(toast()).toBe(`Refused by the server: 3 changes · ${problem}`);
  expect(unread()).toHaveLength(8);
});

test('refusals: an action of several rows that was refused entirely has nothing left to undo', async () => {
  const {press, connect, toast, app} = refusingFixture();
  press('j', 'j', 'v', 'j', 'v', 'j', 'M');
  await connect();
  expect(toast()).toBe(`Refused by the server: 2 changes · ${problem}`);
  expect(app.screen.inbox.log).toEqual([]);
  press('z');
  expect(toast()).toBe('The server refused: Muted 2 conversations');
});

test('refusals: an action of several rows that was refused in part can be undone', async () => {
  const {press, connect, toast, app} = refusingFixture({topicsOf: backend});
  const muted = () => [...app.state.userTopics.values()].flatMap(({topic, policy}) => (policy === 1 ? [topic] : []));
  press('j', 'j', 'v', 'j', 'v', 'j', 'M');
  expect(muted()).toEqual(['login', 'logs']);
  await connect();
  expect(toast()).toBe(`Refused by the server: Muted 2 conversations · ${problem}`);
  expect(muted()).toEqual(['logs']);
  press('z');
  expect(toast()).toBe('Undone: Muted 2 conversations · Z redo');
  expect(muted()).toEqual([]);
});

test('refusals: a refusal while the undo history is open moves nothing under its cursor', async () => {
  const {press, connect, unread, app} = refusingFixture({messages: (ids) => !ids.includes(7)});
  press('e', 'e', 'e');
  expect(unread()).toEqual([4, 5, 6, 8]);
  openUndoHistory(app);
  press('Down');
  await connect();
  expect(unread()).toEqual([4, 5, 6, 7, 8]);
  press('Enter');
  expect(unread()).toEqual([3, 4, 5, 6, 7, 8]);
});
