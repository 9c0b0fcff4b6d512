import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTides, startWriting, twoUserFixture} from './two-user-fixture.ts';

/** Makes the server close every connection before it handles a request. */
async function dropAllConnections(url: string): Promise<void> {
  const body = JSON.stringify({kind: 'drop_before', times: 100_000});
  const headers = {'content-type': 'application/json'};
  await fetch(`${url}/test-hooks/fault`, {method: 'POST', headers, body});
}

test('offline: a start without a server shows saved messages and queues new ones', async () => {
  const chat = await twoUserFixture();
  const home = scratchDirectory();
  const size = {cols: 80, rows: 24};
  const first = await openTides(chat, size, {home});
  first.kill('SIGTERM');
  await first.waitForExit();
  await dropAllConnections(chat.server.url);
  const again = await openTides(chat, size, {home});
  await startWriting(again);
  again.type('Sent when back online');
  again.keys('Enter');
  await again.waitFor('waiting for the connection');
  expect(again.screen().text).toContain('Then we leave at three.');
});
