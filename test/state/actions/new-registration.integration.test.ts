import {expect, test} from 'vitest';
import {expectInSync, sessionFixture, waitForState} from '#test/state/session-fixture.ts';
import type {Listener} from '#test/support/api-client.ts';
import {fewOf} from '#test/support/tier.ts';

/** Waits until the server has changed a flag. */
async function flagged(queue: Listener, op: string, flag: string): Promise<void> {
  for (;;) {
    const events = await queue.next();
    if (events.some((event) => event.op === op && event.flag === flag)) return;
  }
}

test.each(fewOf([509, 122]))(
  'pending changes survive lost queues, lost responses and duplicate events (level %i)',
  async (level) => {
    const fixture = await sessionFixture({level});
    const ids = [
      await fixture.postMessage('one'),
      await fixture.postMessage('two'),
      await fixture.postMessage('three'),
    ];
    const session = fixture.session();
    session.start();
    await session.ready();
    const {pendingChanges} = session;
    await fixture.hook('fault', {path: '/messages/flags', kind: 'drop_after'});
    const done = pendingChanges.perform({kind: 'flags', op: 'add', flag: 'read', ids});
    pendingChanges.perform({kind: 'flags', op: 'add', flag: 'starred', ids: ids.slice(0, 1)});
    await fixture.hook('expire-queues', {user_id: fixture.meg.id});
    const queue = await fixture.server.as(fixture.meg).listen();
    const marker = await fixture.postMessage('marker');
    await waitForState(session, (state) => state.unreads.byId.has(marker));
    expect([...session.cache.state.unreads.byId.keys()]).toEqual([marker]);
    const isStarred = async () => (await fixture.server.as(fixture.meg).post('/register')).starred_messages.length > 0;
    if (!(await isStarred())) await flagged(queue, 'add', 'starred');

    await fixture.hook('redeliver', {queue_id: session.context.queueId(), count: 2});
    done?.undo();
    await flagged(queue, 'remove', 'read');
    const last = await fixture.postMessage('last');
    const state = await waitForState(session, ({unreads}) => unreads.byId.has(last));
    expect([...state.unreads.byId.keys()]).toEqual([...ids, marker, last]);
    await expectInSync(fixture, session);
  },
);
