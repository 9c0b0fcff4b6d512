import {describe, expect, test} from 'vitest';
import {endpoints} from '#wire/endpoints.ts';
import {
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  sendDirect,
  sendToChannel,
} from './operations-fixture.ts';

async function unreadMessages(fixture: OperationsFixture, person = fixture.meg) {
  const types = {fetch_event_types: ['message', 'update_message_flags']};
  const {unread_msgs} = await fixture.as(person).post('/register', types);
  return [...unread_msgs.streams, ...unread_msgs.pms, ...unread_msgs.huddles].flatMap(
    (entry) => entry.unread_message_ids,
  );
}

describe('19. mark all messages as read', () => {
  test('marks all messages read and returns complete', async () => {
    const fixture = await operationsFixture();
    const ids = [
      await sendToChannel(fixture.as(fixture.otto), fixture.general),
      await sendDirect(fixture.as(fixture.otto), [fixture.meg.id]),
      await sendDirect(fixture.as(fixture.otto), [fixture.meg.id, fixture.guest.id]),
    ];
    expect((await unreadMessages(fixture)).toSorted()).toEqual(ids);
    const reply = await fixture.as(fixture.meg).post('/mark_all_as_read');
    expect(expectValid(endpoints.markAllAsRead, reply)).toEqual({result: 'success', msg: '', complete: true});
    expect(await unreadMessages(fixture)).toEqual([]);
    expect(await unreadMessages(fixture, fixture.guest)).not.toEqual([]);
  });

  test('without unread messages succeeds', async () => {
    const fixture = await operationsFixture();
    expect((await fixture.as(fixture.meg).post('/mark_all_as_read')).complete).toBe(true);
  });

  test('only the user’s own sessions get the event, which does not list the messages', async () => {
    const fixture = await operationsFixture();
    await sendToChannel(fixture.as(fixture.otto), fixture.general);
    const [mine, ottos] = [await fixture.as(fixture.meg).listen(), await fixture.as(fixture.otto).listen()];
    const reply = await fixture.as(fixture.meg).post('/mark_all_as_read', {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    const events = await eventsOf(mine, 'update_message_flags');
    expect(events).toMatchObject([{op: 'add', flag: 'read', messages: [], all: true}]);
    expect(await ottos.events()).toEqual([]);
  });
});
