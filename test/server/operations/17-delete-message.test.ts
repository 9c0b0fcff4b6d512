import {describe, expect, test} from 'vitest';
import type {Person} from '#test/support/people.ts';
import {endpoints} from '#wire/endpoints.ts';
import {
  envelopeOnly,
  eventsOf,
  expectValid,
  type OperationsFixture,
  operationsFixture,
  sendDirect,
  sendToChannel,
  withoutEventId,
} from './operations-fixture.ts';

const nobody = 8;
const only = (person: Person) => ({direct_members: [person.id], direct_subgroups: []});
const refusal = {code: 'BAD_REQUEST'};

async function refuse(at: OperationsFixture, person: Person, id: number) {
  return at.as(person).refused('DELETE', `/messages/${id}`, {}, refusal);
}

const remove = async (at: OperationsFixture, person: Person, id: number) =>
  at.as(person).delete(`/messages/${id}`);

describe('17. delete a message', () => {
  test('deletes permanently and returns no extra fields', async () => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.meg), at.general);
    await at.as(at.otto).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
    expect(expectValid(endpoints.deleteMessage, await remove(at, at.admin, id))).toEqual(envelopeOnly);
    await at.as(at.meg).refused('GET', `/messages/${id}`, {}, refusal);
    await at.as(at.meg).refused('GET', `/messages/${id}/history`, {}, refusal);
    await refuse(at, at.admin, id);
    const {topics} = await at.as(at.meg).get(`/users/me/${at.general}/topics`);
    expect(topics).toEqual([]);
  });

  test('by default administrators delete all messages, others their own', async () => {
    const at = await operationsFixture();
    for (const person of [at.otto, at.moderator, at.guest]) {
      await refuse(at, person, await sendToChannel(at.as(at.meg), at.general));
    }
    await remove(at, at.owner, await sendToChannel(at.as(at.meg), at.general));
    for (const person of [at.meg, at.guest, at.bot]) {
      await remove(at, person, await sendToChannel(at.as(person), at.general));
    }
  });

  test('messages of a user’s bot count as the user’s own', async () => {
    const at = await operationsFixture();
    const id = await sendToChannel(at.as(at.bot), at.general);
    await refuse(at, at.otto, id);
    await remove(at, at.meg, id);
  });

  test('own messages can be deleted until the time limit, by administrators always', async () => {
    const at = await operationsFixture();
    const [early, late] = [
      await sendToChannel(at.as(at.meg), at.general),
      await sendToChannel(at.as(at.meg), at.general),
    ];
    at.clock.advance(600_000);
    await remove(at, at.meg, early);
    at.clock.advance(1000);
    await refuse(at, at.meg, late);
    await remove(at, at.admin, late);
  });

  test('the organization sets the time limit, or none', async () => {
    const at = await operationsFixture();
    at.server.people.setting('message_content_delete_limit_seconds', 60);
    const id = await sendToChannel(at.as(at.meg), at.general);
    at.clock.advance(61_000);
    await refuse(at, at.meg, id);
    at.server.people.setting('message_content_delete_limit_seconds', null);
    await remove(at, at.meg, id);
  });

  test('realm_can_delete_any_message_group decides who deletes all messages', async () => {
    const at = await operationsFixture();
    at.server.people.setting('can_delete_any_message_group', only(at.otto));
    const id = await sendToChannel(at.as(at.meg), at.general);
    await refuse(at, at.admin, id);
    await remove(at, at.otto, id);
  });

  test('realm_can_delete_own_message_group decides who deletes their own', async () => {
    const at = await operationsFixture();
    at.server.people.setting('can_delete_own_message_group', only(at.otto));
    await refuse(at, at.meg, await sendToChannel(at.as(at.meg), at.general));
    await remove(at, at.otto, await sendToChannel(at.as(at.otto), at.general));
  });

  test('a channel’s groups allow more than the organization does, in that channel only', async () => {
    const at = await operationsFixture();
    at.server.people.setting('can_delete_own_message_group', nobody);
    const any = at.server.people.channel('any', [at.meg, at.otto], {
      permissions: {can_delete_any_message_group: only(at.otto)},
    });
    const own = at.server.people.channel('own', [at.meg], {
      permissions: {can_delete_own_message_group: only(at.meg)},
    });
    await remove(at, at.otto, await sendToChannel(at.as(at.meg), any));
    await refuse(at, at.otto, await sendToChannel(at.as(at.meg), at.general));
    const mine = await sendToChannel(at.as(at.meg), own);
    const late = await sendToChannel(at.as(at.meg), own);
    await remove(at, at.meg, mine);
    at.clock.advance(601_000);
    await refuse(at, at.meg, late);
  });

  test('realm_can_set_delete_message_policy_group decides who sets a channel’s groups', async () => {
    const at = await operationsFixture();
    const own = at.server.people.channel('own', [at.meg, at.moderator], {
      permissions: {
        can_administer_channel_group: {direct_members: [at.meg.id, at.moderator.id], direct_subgroups: []},
      },
    });
    const change = {can_delete_any_message_group: {new: only(at.meg)}};
    await at.as(at.meg).refused('PATCH', `/streams/${own}`, change, refusal);
    await at.as(at.moderator).patch(`/streams/${own}`, change);
  });

  test('content access is needed even with every permission', async () => {
    const at = await operationsFixture();
    const secret = at.server.people.channel('secret', [at.otto], {invite_only: 1});
    await refuse(at, at.owner, await sendToChannel(at.as(at.otto), secret));
    await refuse(at, at.owner, await sendDirect(at.as(at.otto), [at.meg.id]));
    const received = await sendDirect(at.as(at.otto), [at.admin.id]);
    await refuse(at, at.meg, received);
    await remove(at, at.admin, received);
  });

  test('the receiver of a direct message may not delete it, its sender may', async () => {
    const at = await operationsFixture();
    const id = await sendDirect(at.as(at.otto), [at.meg.id]);
    await refuse(at, at.meg, id);
    await remove(at, at.otto, id);
  });

  test('an unknown message is BAD_REQUEST', async () => {
    const at = await operationsFixture();
    await refuse(at, at.admin, 9999);
  });

  test('only readers of the message get the event', async () => {
    const at = await operationsFixture();
    const old = await at.as(at.otto).listen({client_capabilities: {}});
    const [ottos, outsiders] = [await at.as(at.otto).listen(), await at.as(at.outsider).listen()];
    const open = await sendToChannel(at.as(at.meg), at.general);
    const direct = await sendDirect(at.as(at.meg), [at.otto.id]);
    const reply = await at.as(at.meg).delete(`/messages/${open}`, {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    await remove(at, at.meg, direct);
    const place = {message_type: 'stream', stream_id: at.general, topic: 'lunch'};
    expect((await eventsOf(ottos, 'delete_message')).map(withoutEventId)).toEqual([
      {type: 'delete_message', message_ids: [open], ...place},
      {type: 'delete_message', message_ids: [direct], message_type: 'private'},
    ]);
    expect((await eventsOf(old, 'delete_message')).map(withoutEventId)).toEqual([
      {type: 'delete_message', message_id: open, ...place},
      {type: 'delete_message', message_id: direct, message_type: 'private'},
    ]);
    expect(await eventsOf(outsiders, 'delete_message')).toEqual([]);
  });
});
