import {expect, test} from 'vitest';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {openTides, startWriting, twoUserFixture} from './two-user-fixture.ts';

/** Every connection is closed before anything happens. */
async function nobodyAnswers(url: string): Promise<void> {
  const body = JSON.stringify({kind: 'drop_before', times: 100_000});
  const headers = {'content-type': 'application/json'};
  await fetch(`${url}/test-hooks/fault`, {method: 'POST', headers, body});
}

test('a start without a server shows what was read before, and takes messages for later', async () => {
  const stage = await twoUserFixture();
  const home = scratchDirectory();
  const size = {cols: 80, rows: 24};
  const first = await openTides(stage, size, {home});
  first.kill('SIGTERM');
  await first.waitForExit();
  await nobodyAnswers(stage.server.url);
  const again = await openTides(stage, size, {home});
  await startWriting(again);
  again.type('When somebody hears us');
  again.keys('Enter');
  await again.waitFor('waiting for the connection');
  expect(again.screen().text).toContain('Then we leave at three.');
});
