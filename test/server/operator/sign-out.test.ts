import {expect, test} from 'vitest';
import {findUser} from '#server/db/users.ts';
import {sessionsOf} from '#server/operator/sign-out.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {testServer} from '#test/support/server.ts';

test('sessions: a client that waits for events is connected, another is idle since its last request', async () => {
  const clock = new ManualClock();
  const server = await testServer({clock});
  const meg = server.people.member('Meg');
  const user = findUser(server.context.db, meg.id);
  if (user === undefined) throw new Error('There is no such user.');
  await server.as(meg).listen();
  clock.advance(90_000);
  const waiting = await server.as(meg).listen();
  const query = {queue_id: waiting.queueId, last_event_id: -1};
  const answer = server.as(meg).get('/events', query);
  const idleSeconds = () => sessionsOf(server.context, user).clients.map(({idle_seconds}) => idle_seconds);
  const {queues} = server.context;
  await expect.poll(() => [...queues.all()].map(({isWaiting}) => isWaiting)).toEqual([false, true]);
  clock.advance(20_000);
  expect(idleSeconds()).toEqual([110, 0]);
  await server.as(meg).post('/messages', {type: 'private', to: [meg.id], content: 'wake up'});
  await answer;
  clock.advance(5_000);
  expect(idleSeconds()).toEqual([115, 5]);
});
