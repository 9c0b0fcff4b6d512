import {expect, test} from 'vitest';
import {SystemGroup} from '#server/organization/permission-rules.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import type {Person} from '#test/support/people.ts';
import {testServer} from '#test/support/server.ts';

const dayMs = 86_400_000;

test('full members: a member becomes one after the days of the organization, not a second before; a moderator is one, a guest never', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const {people} = server;
  const [member, moderator, guest] = [people.member(), people.moderator(), people.guest()];
  // They joined thirty days ago.
  people.setting('waiting_period_threshold', 33);
  people.setting('can_create_public_channel_group', SystemGroup.fullMembers);
  let count = 0;
  const mayCreate = async (person: Person) => {
    const params = {subscriptions: [{name: `channel ${++count}`}]};
    return (await server.as(person).raw('POST', '/users/me/subscriptions', params)).status === 200;
  };
  clock.advance(3 * dayMs - 1000);
  expect([await mayCreate(member), await mayCreate(moderator), await mayCreate(guest)]).toEqual([false, true, false]);
  clock.advance(1000);
  expect([await mayCreate(member), await mayCreate(guest)]).toEqual([true, false]);
});
