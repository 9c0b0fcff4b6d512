import {test} from 'vitest';
import {everythingNarrow, narrowKey} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import {expectInSync, hasMessage, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import {narrowFromWire} from '#test/support/state-builders.ts';

const teapots = narrowFromWire([{operator: 'search', operand: 'teapot'}]);

function found({timelines}: AccountState): readonly number[] | undefined {
  const timeline = timelines.get(narrowKey(teapots));
  return timeline?.undecidedIds.size === 0 && !timeline.isStale ? timeline.ids.toArray() : undefined;
}

test('moves: a message found by its topic’s words leaves the search when it is moved, and comes back', async () => {
  const stage = await sessionFixture();
  const session = stage.session();
  session.start();
  await session.ready();
  const [named, plain] = [
    await stage.postMessage('Hear, hear', 'A teapot'),
    await stage.postMessage('Hear, hear', 'Tea'),
  ];
  await session.timelines.open(teapots, 'newest');
  await waitForState(session, (state) => hasMessage(plain)(state) && found(state)?.join() === `${named}`);
  const otto = stage.server.as(stage.otto);
  await otto.patch(`/messages/${named}`, {topic: 'Tea', send_notification_to_new_thread: false});
  await waitForState(session, (state) => found(state)?.length === 0);
  await otto.patch(`/messages/${plain}`, {topic: 'A teapot', send_notification_to_new_thread: false});
  await waitForState(session, (state) => found(state)?.join() === `${plain}`);
  await expectInSync(stage, session);
});

test('moves: when a topic’s case changes, messages that have the new case already were moved with the others', async () => {
  const stage = await sessionFixture();
  const session = stage.session();
  session.start();
  await session.ready();
  const [first, second] = [await stage.postMessage('One', 'Talk'), await stage.postMessage('Two', 'talk')];
  await session.timelines.open(everythingNarrow, 'newest');
  await waitForState(session, (state) => hasMessage(first)(state) && hasMessage(second)(state));
  const move = {topic: 'talk', propagate_mode: 'change_all', send_notification_to_new_thread: false};
  await stage.server.as(stage.otto).patch(`/messages/${first}`, move);
  await waitForState(session, ({messages}) => messages.byId.get(second)?.movedAt !== undefined);
  await expectInSync(stage, session);
});
