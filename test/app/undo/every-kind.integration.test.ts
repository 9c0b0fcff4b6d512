import {expect, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import type {RequestStep} from '#app/undo/undo-record.ts';
import {pollState} from '#content/widgets/widgets.ts';
import {reversibleKinds} from '#state/actions/reversible-actions.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {messageFromWire} from '#state/model/message.ts';
import {createSession} from '#state/session.ts';
import {systemClock} from '#std/clock.ts';
import {openAccountStore} from '#storage/open-account-store.ts';
import {clientOf} from '#test/api/client.ts';
import {actionCases} from '#test/state/actions/action-cases.ts';
import {type ActionsFixture, actionsFixture, freshState} from '#test/state/actions/actions-fixture.ts';
import {fastClock, waitForState} from '#test/state/session-fixture.ts';
import {acrossAxes} from '#test/support/axes.ts';
import {createApp} from '#test/support/create-app.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import type {WireMessage} from '#wire/objects/message.ts';

const withoutNotices = {send_notification_to_new_thread: false, send_notification_to_old_thread: false};

/** Returns what the server has: a new registration, and of the messages what only they have. */
async function serverState(fixture: ActionsFixture): Promise<unknown> {
  const page = {anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false};
  const {messages} = await fixture.otherClient().get('/messages', page);
  return {
    account: await freshState(fixture),
    messages: messages.map((wire: WireMessage & {readonly flags: readonly string[]}) => {
      const {id, flags, reactions, submessages, senderId} = messageFromWire(wire, wire.flags, fixture.meg.id);
      return {
        id,
        flags: [...flags].sort(),
        reactions: reactions.map(({emojiName, userId}) => [emojiName, userId]),
        // The record of a vote that was taken back stays; its voters count.
        votes: pollState(submessages, senderId)?.options.map(({voters}) => voters),
      };
    }),
  };
}

/** The program of Meg, which can be ended and started again on the same disk. */
async function programFixture({server, meg}: ActionsFixture) {
  const path = `${scratchDirectory()}/account.sqlite`;
  const start = async () => {
    const log = () => {};
    const {store} = openAccountStore({path, clock: systemClock, random: Math.random, log});
    const session = createSession({api: clientOf(server, meg), store, clock: fastClock, random: Math.random, log});
    session.start();
    await session.ready();
    await waitForState(session, ({connection}) => connection.phase === 'online');
    const page = await session.timelines.open([], 'newest', 100);
    expect(page).toBeDefined();
    const {app, press} = createApp({session});
    const end = async () => {
      app.end();
      await session.stop();
      store.close();
    };
    return {app, press, session, end};
  };
  let now = await start();
  return {
    app: (): App => now.app,
    /** Presses a key, and returns what the server has once the program has sent what it did. */
    press: async (key: string, fixture: ActionsFixture) => {
      now.press(key);
      await now.session.pendingChanges.idle();
      return serverState(fixture);
    },
    /** Presses a key, and agrees to what it asks. */
    answer: (key: string) => {
      now.press(key);
      if (now.app.screen.overlays.length > 0) now.press('y');
    },
    /** Waits until the undo history has what the last key did: after it no request is running. */
    settled: () => expect.poll(() => now.app.screen.toast?.text ?? '').not.toMatch(/…$/),
    idle: () => now.session.pendingChanges.idle(),
    restart: async () => {
      await now.end();
      now = await start();
    },
    end: () => now.end(),
  };
}

test.each(acrossAxes('start'))(
  'undo: every kind of change is undone, redone and undone again on the server ($start)',
  async ({start}) => {
    const fixture = await actionsFixture({rateLimited: false});
    for (const {prepare} of actionCases) await prepare?.(fixture);
    await fixture.client.pollEvents();
    const program = await programFixture(fixture);
    const next = async () => {
      if (start === 'restarted') await program.restart();
    };
    const kinds = new Set<string>();
    const states = [await serverState(fixture)];
    const names: string[] = [];
    for (const {name, action} of actionCases) {
      const change = action(fixture);
      // What an earlier row has done already is no change here.
      if (!performUndoable(program.app(), change, name)) continue;
      await program.idle();
      kinds.add(change.kind);
      names.push(name);
      states.push(await serverState(fixture));
      expect(states.at(-1), name).not.toEqual(states.at(-2));
    }
    expect([...kinds].sort()).toEqual(reversibleKinds.toSorted());
    for (const key of ['z', 'Z', 'z']) {
      await next();
      for (let step = 1; step < states.length; step++) {
        const at = key === 'Z' ? step : states.length - 1 - step;
        expect(await program.press(key, fixture), `${key}: ${names[key === 'Z' ? at - 1 : at]}`).toEqual(states[at]);
      }
    }
    await program.end();
  },
);

/** What the requests of undo and redo change: topics, texts and votes. A message that is sent again has another id. */
async function messageTexts(fixture: ActionsFixture): Promise<readonly string[]> {
  const page = {anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false};
  const {messages} = await fixture.otherClient().get('/messages', page);
  return messages.map((wire: WireMessage & {readonly flags: readonly string[]}) => {
    const {content, submessages, senderId} = messageFromWire(wire, wire.flags, fixture.meg.id);
    const votes = pollState(submessages, senderId)?.options.map(({voters}) => voters.length) ?? [];
    return [wire.subject, content, ...votes].join(' | ');
  });
}

test.each(acrossAxes('start'))(
  'undo: what a request undoes (an edit, a vote, a move, a sent message) is undone, redone and undone again ($start)',
  async ({start}) => {
    const fixture = await actionsFixture({rateLimited: false});
    const {channelId} = fixture;
    const client = fixture.otherClient();
    const post = async (topic: string, content: string): Promise<number> =>
      (await client.post('/messages', {type: 'stream', to: channelId, topic, content})).id;
    const [edited, poll, moved] = [
      await post('talk', 'one'),
      await post('talk', '/poll Where?\nHarbor\nMarket'),
      await post('ways', 'from here'),
    ];
    const program = await programFixture(fixture);
    const states = [await messageTexts(fixture)];
    const done = async (label: string, step: RequestStep) => {
      program.app().undoStack.pushStep(label, step);
      states.push(await messageTexts(fixture));
    };
    await client.patch(`/messages/${edited}`, {content: 'two'});
    await done('Edited', {kind: 'edit', messageId: edited, before: 'one', after: 'two'});
    const vote = JSON.stringify({type: 'vote', key: 'canned,0', vote: 1});
    await client.post('/submessage', {message_id: poll, msg_type: 'widget', content: vote});
    await done('Voted', {kind: 'widget', messageId: poll, widget: 'poll', key: 'canned,0', wasOn: false});
    await client.patch(`/messages/${moved}`, {topic: 'tea', propagate_mode: 'change_all', ...withoutNotices});
    const [from, to] = [topicConversation(channelId, 'ways'), topicConversation(channelId, 'tea')];
    await done('Moved', {kind: 'move', from, to, messageId: moved, mode: 'change_all', merged: []});
    const {id} = program
      .app()
      .session.outbox.send({conversation: topicConversation(channelId, 'talk'), content: 'new'});
    await expect.poll(() => program.app().state.outbox).toEqual([]);
    await done('Sent', {kind: 'sent', id});
    for (const key of ['z', 'Z', 'z']) {
      if (start === 'restarted') await program.restart();
      for (let step = 1; step < states.length; step++) {
        const at = key === 'Z' ? step : states.length - 1 - step;
        program.answer(key);
        await expect.poll(() => messageTexts(fixture), {message: `${key} ${step}`}).toEqual(states[at]);
        await program.settled();
      }
    }
    await program.end();
  },
);
