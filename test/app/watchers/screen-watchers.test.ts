import {expect, test, vi} from 'vitest';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';

/** A message that waits, and what it makes one think of the server. */
function waiting(status: 'queued' | 'sending') {
  const clock = new ManualClock();
  const session = unstartedSession(eg.state(), clock);
  const {outbox} = session.context.store;
  const {id} = session.outbox.send({conversation: topicConversation(1, 'tides'), content: 'hello'});
  if (status === 'sending') outbox.claim(id, {sentAt: clock.now(), afterMessageId: 0});
  session.cache.apply({type: 'outbox_changed', outbox: outbox.all()});
  const wake = vi.spyOn(session, 'wake');
  startScreenWatchers(appFixture({session, clock}).app);
  return {clock, reasons: () => wake.mock.calls.flat()};
}

test('a message that the server does not answer makes one ask whether it is still there, once', () => {
  const {clock, reasons} = waiting('sending');
  clock.advance(7000);
  expect(reasons()).toEqual([]);
  clock.advance(2000);
  expect(reasons()).toEqual(['unanswered']);
  clock.advance(60_000);
  expect(reasons()).toEqual(['unanswered']);
});

test('a message that waits for its turn is no reason to doubt the server', () => {
  const {clock, reasons} = waiting('queued');
  clock.advance(60_000);
  expect(reasons()).toEqual([]);
});

test('the messages that reminders are about are asked for when somebody looks, once', () => {
  const clock = new ManualClock();
  const reminder = {
    id: 5,
    kind: 'private',
    content: 'think of it',
    scheduledDeliveryTimestamp: 1,
    reminderTargetMessageId: 99,
    failed: false,
  } as const;
  const session = unstartedSession(eg.state({reminders: SortedMap.from([[5, reminder]])}), clock);
  const fetched = vi.spyOn(session, 'fetchMessage').mockReturnValue(new Promise(() => {}));
  const {app, press} = appFixture({session, clock});
  startScreenWatchers(app);
  press('I');
  expect(fetched).not.toHaveBeenCalled();
  press('g', 'b', 'j', 'k');
  expect(fetched.mock.calls).toEqual([[99]]);
});
