import {describe, expect, test} from 'vitest';
import {registrationReason} from '#state/updates/registration.ts';
import * as eg from '#test/support/state-builders.ts';
import type {ServerEvent} from '#wire/events.ts';
import {flushPromises, snapshot, UpdateMachineFixture} from './update-machine-fixture.ts';

describe('registering again for what no event says', () => {
  test('a response that does not fit the own role is replaced by another a little later, with growing pauses', async () => {
    const fixture = new UpdateMachineFixture();
    fixture.machine.start();
    await flushPromises();
    const answer = async (queueId: string, isAdmin: boolean) => {
      fixture.setting.answer({feature_level: 509});
      await flushPromises();
      const realm_users = [eg.wireUser({role: 400})];
      fixture.registration.answer({...snapshot(queueId, 509), user_id: eg.selfId, is_admin: isAdmin, realm_users});
      await flushPromises();
    };
    await answer('q1', true);
    expect(fixture.status).toEqual({phase: 'online'});
    await fixture.advance(60_000);
    await answer('q2', false);
    expect(fixture.machine.queueId).toBe('q2');
    await fixture.advance(600_000);
    expect(fixture.registrations).toHaveLength(2);
  });

  test.each([
    ['a hidden person is reactivated', 77, {is_active: true}, 'a hidden user was reactivated'],
    ['the own account is reactivated', eg.selfId, {is_active: true}, 'the account was reactivated'],
    ['the own role changes', eg.selfId, {role: 200}, 'the role of the user changed'],
    ['a known person is reactivated', 2, {is_active: true}, undefined],
    ['a hidden person is deactivated', 77, {is_active: false}, undefined],
  ])('%s', (_name, user_id, change, reason) => {
    const state = eg.state({users: eg.users(eg.user({id: eg.selfId}), eg.user({id: 2}))});
    const event = {type: 'realm_user', op: 'update', id: 1, person: {user_id, ...change}} as const;
    expect(registrationReason([event as ServerEvent], state)).toBe(reason);
  });

  test.each([
    ['a channel is unarchived', false, 'a channel was unarchived'],
    ['a channel is archived', true, undefined],
  ])('%s', (_name, value, reason) => {
    const event = {type: 'stream', op: 'update', id: 1, stream_id: 1, name: 'x', property: 'is_archived', value};
    expect(registrationReason([event as unknown as ServerEvent], eg.state())).toBe(reason);
  });
});
