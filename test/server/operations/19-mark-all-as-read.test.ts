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

async function unread(at: OperationsFixture, person = at.meg) {
  const types = {fetch_event_types: ['message', 'update_message_flags']};
  const {unread_msgs} = await at.as(person).post('/register', types);
  return [...unread_msgs.streams, ...unread_msgs.pms, ...unread_msgs.huddles].flatMap(
    (entry) => entry.unread_message_ids,
  );
}

describe('19. mark all messages as read', () => {
  test('marks all messages read and returns complete', async () => {
    const at = await operationsFixture();
    const ids = [
      await sendToChannel(at.as(at.otto), at.general),
      await sendDirect(at.as(at.otto), [at.meg.id]),
      await sendDirect(at.as(at.otto), [at.meg.id, at.guest.id]),
    ];
    expect((await unread(at)).toSorted()).toEqual(ids);
    const reply = await at.as(at.meg).post('/mark_all_as_read');
    expect(expectValid(endpoints.markAllAsRead, reply)).toEqual({result: 'success', msg: '', complete: true});
    expect(await unread(at)).toEqual([]);
    expect(await unread(at, at.guest)).not.toEqual([]);
  });

  test('without unread messages succeeds and sends no event', async () => {
    const at = await operationsFixture();
    const listener = await at.as(at.meg).listen();
    expect((await at.as(at.meg).post('/mark_all_as_read')).complete).toBe(true);
    expect(await listener.events()).toEqual([]);
  });

  test('only the user’s own sessions get the ids', async () => {
    const at = await operationsFixture();
    const first = await sendToChannel(at.as(at.otto), at.general);
    const second = await sendToChannel(at.as(at.otto), at.general);
    const [mine, ottos] = [await at.as(at.meg).listen(), await at.as(at.otto).listen()];
    const reply = await at.as(at.meg).post('/mark_all_as_read', {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    const events = await eventsOf(mine, 'update_message_flags');
    expect(events.every(({op, flag}) => op === 'add' && flag === 'read')).toBe(true);
    expect(events.flatMap(({messages}) => messages).toSorted()).toEqual([first, second]);
    expect(await ottos.events()).toEqual([]);
  });
});
