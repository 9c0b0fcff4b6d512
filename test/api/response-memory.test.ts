import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import {expect} from 'vitest';
import {slowTest} from '#test/support/tier.ts';
import {endpoints} from '#wire/endpoints.ts';
import {connectTo, httpServer} from './client.ts';

const mib = 1024 * 1024;

/** Returns the memory in use after a full collection. */
async function usedBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // Promises and streams let go of their values in later turns.
  for (let turn = 0; turn < 2; turn++) {
    await new Promise(setImmediate);
    collect();
  }
  const {heapUsed, external} = process.memoryUsage();
  return heapUsed + external;
}

slowTest('connection: the text of a response is not kept after it was decoded', async () => {
  const events = [{id: 1, type: 'heartbeat'}];
  let size = 1;
  const site = await httpServer((_request, response) => {
    response.end(JSON.stringify({result: 'success', msg: '', events}) + ' '.repeat(size));
  });
  const connection = connectTo({site});
  const poll = () => connection.call(endpoints.getEvents, {queue_id: 'q', last_event_id: 0});
  await poll();
  const before = await usedBytes();
  size = 8 * mib;
  const polled = await poll();
  expect(polled.events).toEqual(events);
  expect((await usedBytes()) - before).toBeLessThan(3 * mib);
});
