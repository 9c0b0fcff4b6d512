import {once} from 'node:events';
import type {ServerResponse} from 'node:http';
import {setImmediate as nextImmediate} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {RegistrationLine} from '#server/event-queues/registration-line.ts';
import {testServer} from '#test/support/server.ts';

test('registrations: the users take turns, and other work runs between two', async () => {
  const order: string[] = [];
  const line = new RegistrationLine(async () => {
    order.push('others');
    await nextImmediate();
  });
  const register = (userId: number, name: string) =>
    line.run(userId, async () => {
      order.push(`${name} begins`);
      await nextImmediate();
      order.push(`${name} ends`);
    });
  await Promise.all([register(1, 'a1'), register(1, 'a2'), register(1, 'a3'), register(2, 'b1')]);
  const turn = (name: string) => [`${name} begins`, `${name} ends`];
  expect(order).toEqual([...turn('a1'), 'others', ...turn('a2'), 'others', ...turn('b1'), 'others', ...turn('a3')]);
});

test('registrations: one that fails does not stop those that wait', async () => {
  const line = new RegistrationLine(() => nextImmediate());
  const failing = line.run(1, async () => {
    await nextImmediate();
    throw new Error('disk failure');
  });
  const waiting = line.run(2, async () => 'registered');
  await expect(failing).rejects.toThrow('disk failure');
  expect(await waiting).toBe('registered');
  expect(await line.run(3, async () => 'later')).toBe('later');
});

test('registrations: many at once are made one at a time', async () => {
  const made: number[] = [];
  let [arrived, active, most] = [0, 0, 0];
  const server = await testServer({
    onRequest: () => void arrived++,
    duringRegistration: async (userId) => {
      most = Math.max(most, ++active);
      while (arrived < people.length) await nextImmediate();
      made.push(userId);
      active--;
    },
  });
  const people = Array.from({length: 6}, (_, index) => server.people.member(`Person ${index}`));
  await Promise.all(people.map((person) => server.as(person).post('/register')));
  expect(most).toBe(1);
  expect(made.toSorted((a, b) => a - b)).toEqual(people.map(({id}) => id));
});

test('registrations: one whose client left while it waited is not made', async () => {
  const first = Promise.withResolvers<void>();
  const made: number[] = [];
  const responses: ServerResponse[] = [];
  const server = await testServer({
    onRequest: (_method, _path, response) => void responses.push(response),
    duringRegistration: async (userId) => {
      made.push(userId);
      if (made.length === 1) await first.promise;
    },
  });
  const [meg, otto] = [server.people.member(), server.people.member('Otto')];
  const held = server.as(meg).post('/register');
  const stop = new AbortController();
  const authorization = `Basic ${btoa(`${otto.email}:${otto.apiKey}`)}`;
  const url = `${server.url}/api/v1/register`;
  const left = fetch(url, {method: 'POST', headers: {authorization}, signal: stop.signal}).catch(() => 'left');
  while (responses.length < 2) await nextImmediate();
  const gone = Promise.all(responses.slice(1).map((response) => once(response, 'close')));
  stop.abort();
  expect(await left).toBe('left');
  await gone;
  first.resolve();
  await held;
  await server.as(meg).post('/register');
  expect(made).toEqual([meg.id, meg.id]);
  expect([...server.context.queues.all()].map(({userId}) => userId)).toEqual([meg.id, meg.id]);
});
