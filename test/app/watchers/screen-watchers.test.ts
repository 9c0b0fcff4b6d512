import {expect, test, vi} from 'vitest';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';

/** Sends a message and returns the reasons for which the session was woken. */
function sentMessageFixture(status: 'queued' | 'sending') {
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

test('screen watchers: a message without response for 8 seconds checks the connection once', () => {
  const {clock, reasons} = sentMessageFixture('sending');
  clock.advance(7000);
  expect(reasons()).toEqual([]);
  clock.advance(2000);
  expect(reasons()).toEqual(['unanswered']);
  clock.advance(60_000);
  expect(reasons()).toEqual(['unanswered']);
});

test('screen watchers: a queued message does not check the connection', () => {
  const {clock, reasons} = sentMessageFixture('queued');
  clock.advance(60_000);
  expect(reasons()).toEqual([]);
});

test('screen watchers: the messages of reminders are fetched once, when the reminders are shown', () => {
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
