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
const onlyUser = (person: Person) => ({direct_members: [person.id], direct_subgroups: []});
const refusal = {code: 'BAD_REQUEST'};

async function expectRefused(fixture: OperationsFixture, person: Person, id: number) {
  return fixture.as(person).refused('DELETE', `/messages/${id}`, {}, refusal);
}

const deleteMessage = async (fixture: OperationsFixture, person: Person, id: number) =>
  fixture.as(person).delete(`/messages/${id}`);

describe('17. delete a message', () => {
  test('deletes permanently and returns no extra fields', async () => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general);
    await fixture.as(fixture.otto).post(`/messages/${id}/reactions`, {emoji_name: 'tada'});
    expect(expectValid(endpoints.deleteMessage, await deleteMessage(fixture, fixture.admin, id))).toEqual(envelopeOnly);
    await fixture.as(fixture.meg).refused('GET', `/messages/${id}`, {}, refusal);
    await fixture.as(fixture.meg).refused('GET', `/messages/${id}/history`, {}, refusal);
    await expectRefused(fixture, fixture.admin, id);
    const {topics} = await fixture.as(fixture.meg).get(`/users/me/${fixture.general}/topics`);
    expect(topics).toEqual([]);
  });

  test('by default administrators delete all messages, others their own', async () => {
    const fixture = await operationsFixture();
    for (const person of [fixture.otto, fixture.moderator, fixture.guest]) {
      await expectRefused(fixture, person, await sendToChannel(fixture.as(fixture.meg), fixture.general));
    }
    await deleteMessage(fixture, fixture.owner, await sendToChannel(fixture.as(fixture.meg), fixture.general));
    for (const person of [fixture.meg, fixture.guest, fixture.bot]) {
      await deleteMessage(fixture, person, await sendToChannel(fixture.as(person), fixture.general));
    }
  });

  test('messages of a user’s bot count as the user’s own', async () => {
    const fixture = await operationsFixture();
    const id = await sendToChannel(fixture.as(fixture.bot), fixture.general);
    await expectRefused(fixture, fixture.otto, id);
    await deleteMessage(fixture, fixture.meg, id);
  });

  test('own messages can be deleted until the time limit, by administrators always', async () => {
    const fixture = await operationsFixture();
    const [early, late] = [
      await sendToChannel(fixture.as(fixture.meg), fixture.general),
      await sendToChannel(fixture.as(fixture.meg), fixture.general),
    ];
    fixture.clock.advance(600_000);
    await deleteMessage(fixture, fixture.meg, early);
    fixture.clock.advance(1000);
    await expectRefused(fixture, fixture.meg, late);
    await deleteMessage(fixture, fixture.admin, late);
  });

  test('the organization sets the time limit, or none', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('message_content_delete_limit_seconds', 60);
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general);
    fixture.clock.advance(61_000);
    await expectRefused(fixture, fixture.meg, id);
    fixture.server.people.setting('message_content_delete_limit_seconds', null);
    await deleteMessage(fixture, fixture.meg, id);
  });

  test('realm_can_delete_any_message_group decides who deletes all messages', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('can_delete_any_message_group', onlyUser(fixture.otto));
    const id = await sendToChannel(fixture.as(fixture.meg), fixture.general);
    await expectRefused(fixture, fixture.admin, id);
    await deleteMessage(fixture, fixture.otto, id);
  });

  test('realm_can_delete_own_message_group decides who deletes their own', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('can_delete_own_message_group', onlyUser(fixture.otto));
    await expectRefused(fixture, fixture.meg, await sendToChannel(fixture.as(fixture.meg), fixture.general));
    await deleteMessage(fixture, fixture.otto, await sendToChannel(fixture.as(fixture.otto), fixture.general));
  });

  test('a channel’s groups allow more than the organization does, in that channel only', async () => {
    const fixture = await operationsFixture();
    fixture.server.people.setting('can_delete_own_message_group', nobody);
    const any = fixture.server.people.channel('any', [fixture.meg, fixture.otto], {
      permissions: {can_delete_any_message_group: onlyUser(fixture.otto)},
    });
    const own = fixture.server.people.channel('own', [fixture.meg], {
      permissions: {can_delete_own_message_group: onlyUser(fixture.meg)},
    });
    await deleteMessage(fixture, fixture.otto, await sendToChannel(fixture.as(fixture.meg), any));
    await expectRefused(fixture, fixture.otto, await sendToChannel(fixture.as(fixture.meg), fixture.general));
    const mine = await sendToChannel(fixture.as(fixture.meg), own);
    const late = await sendToChannel(fixture.as(fixture.meg), own);
    await deleteMessage(fixture, fixture.meg, mine);
    fixture.clock.advance(601_000);
    await expectRefused(fixture, fixture.meg, late);
  });

  test('realm_can_set_delete_message_policy_group decides who sets a channel’s groups', async () => {
    const fixture = await operationsFixture();
    const own = fixture.server.people.channel('own', [fixture.meg, fixture.moderator], {
      permissions: {
        can_administer_channel_group: {
          direct_members: [fixture.meg.id, fixture.moderator.id],
          direct_subgroups: [],
        },
      },
    });
    const change = {can_delete_any_message_group: {new: onlyUser(fixture.meg)}};
    await fixture.as(fixture.meg).refused('PATCH', `/streams/${own}`, change, refusal);
    await fixture.as(fixture.moderator).patch(`/streams/${own}`, change);
  });

  test('content access is needed even with every permission', async () => {
    const fixture = await operationsFixture();
    const secret = fixture.server.people.channel('secret', [fixture.otto], {invite_only: 1});
    await expectRefused(fixture, fixture.owner, await sendToChannel(fixture.as(fixture.otto), secret));
    await expectRefused(fixture, fixture.owner, await sendDirect(fixture.as(fixture.otto), [fixture.meg.id]));
    const received = await sendDirect(fixture.as(fixture.otto), [fixture.admin.id]);
    await expectRefused(fixture, fixture.meg, received);
    await deleteMessage(fixture, fixture.admin, received);
  });

  test('the receiver of a direct message may not delete it, its sender may', async () => {
    const fixture = await operationsFixture();
    const id = await sendDirect(fixture.as(fixture.otto), [fixture.meg.id]);
    await expectRefused(fixture, fixture.meg, id);
    await deleteMessage(fixture, fixture.otto, id);
  });

  test('an unknown message is BAD_REQUEST', async () => {
    const fixture = await operationsFixture();
    await expectRefused(fixture, fixture.admin, 9999);
  });

  test('only readers of the message get the event', async () => {
    const fixture = await operationsFixture();
    const old = await fixture.as(fixture.otto).listen({client_capabilities: {notification_settings_null: false}});
    const [ottos, outsiders] = [await fixture.as(fixture.otto).listen(), await fixture.as(fixture.outsider).listen()];
    const open = await sendToChannel(fixture.as(fixture.meg), fixture.general);
    const direct = await sendDirect(fixture.as(fixture.meg), [fixture.otto.id]);
    const reply = await fixture.as(fixture.meg).delete(`/messages/${open}`, {wibble: '1'});
    expect(reply.ignored_parameters_unsupported).toEqual(['wibble']);
    await deleteMessage(fixture, fixture.meg, direct);
    const location = {message_type: 'stream', stream_id: fixture.general, topic: 'lunch'};
    expect((await eventsOf(ottos, 'delete_message')).map(withoutEventId)).toEqual([
      {type: 'delete_message', message_ids: [open], ...location},
      {type: 'delete_message', message_ids: [direct], message_type: 'private'},
    ]);
    expect((await eventsOf(old, 'delete_message')).map(withoutEventId)).toEqual([
      {type: 'delete_message', message_id: open, ...location},
      {type: 'delete_message', message_id: direct, message_type: 'private'},
    ]);
    expect(await eventsOf(outsiders, 'delete_message')).toEqual([]);
  });
});
