import {expect, test, vi} from 'vitest';
import {startScreenWatchers} from '#app/watchers/screen-watchers.ts';
import type {ConnectionStatus} from '#state/model/connection.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {appFixture} from '#test/support/app-fixture.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import * as eg from '#test/support/state-builders.ts';
import {unstartedSession} from '#test/support/unstarted-session.ts';

test('screen watchers: the seconds without a response are counted until one arrives', async () => {
  const clock = new ManualClock();
  const session = unstartedSession(eg.state(), clock);
  const {app} = appFixture({session, clock});
  startScreenWatchers(app);
  const become = (connection: ConnectionStatus) => session.cache.apply({type: 'connection_changed', connection});
  become({phase: 'online', silentSince: clock.monotonic() - 29_000});
  await expect.poll(() => app.screen.outage?.silentFor).toBe(29);
  clock.advance(1000);
  expect(app.screen.outage?.silentFor).toBe(30);
  become({phase: 'online'});
  await expect.poll(() => app.screen.outage).toBeUndefined();
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
