import {cpSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openClientSocket} from '#cli/embedded/client-socket.ts';
import {openDataDirectory, writeAccounts} from '#cli/serve/data-directory.ts';
import {answerOperator, operatorProtocol} from '#cli/serve/operator-socket.ts';
import {serverLog} from '#cli/serve/server-log.ts';
import {systemClock} from '#std/clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {canMount, smallDisk} from '#test/support/small-disk.ts';
import {demoDirectory, operate} from './operator-fixture.ts';

/** Puts the data directory of a small organization on a disk of its own. */
async function dataOnSmallDisk() {
  const {path, fill} = smallDisk();
  const directory = join(path, 'data');
  cpSync(await demoDirectory(), directory, {recursive: true});
  return {directory, fill};
}

/** Serves a data directory as `parley serve` does. */
async function served(directory: string, port = 0) {
  const lines: string[] = [];
  const log = serverLog('text', systemClock, (line) => lines.push(line.slice(25)));
  const {database, files, secrets, credentials} = openDataDirectory(directory);
  const server = await testServer({database, files, secrets, port, log: log.line, onEvent: log.event});
  const greeting = JSON.stringify({pid: process.pid, url: server.url, operator: operatorProtocol});
  const answer = answerOperator(server.context, directory, log);
  const socket = await openClientSocket({directory, greeting, clock: systemClock, answer});
  onTestFinished(() => socket?.close());
  const [account] = writeAccounts(server.context, credentials);
  return {server, lines, account, close: () => socket?.close()};
}

const notNoted = expect.stringMatching(
  /^The backup is made, but “parley serve status” does not know of it: .*(full|no space).*\n$/,
);

test.skipIf(!canMount)('full disk: check and backup of a stopped server work, and it starts again', async () => {
  const {directory, fill} = await dataOnSmallDisk();
  const first = await served(directory);
  fill();
  await first.server.close();
  first.close();
  expect(await operate('serve check', ['--data', directory])).toMatchObject({code: 0, err: ''});
  const out = join(scratchDirectory(), 'backups');
  expect(await operate('serve backup', [out, '--data', directory])).toMatchObject({code: 0, err: notNoted});
  const again = await served(directory, first.server.port);
  expect(again.account).toEqual(first.account);
});

test.skipIf(!canMount)(
  'full disk: a running server is backed up to another disk, and check names the space it needs',
  async () => {
    const {directory, fill} = await dataOnSmallDisk();
    const {lines} = await served(directory);
    fill();
    const out = join(scratchDirectory(), 'backups');
    expect(await operate('serve backup', [out, '--data', directory])).toMatchObject({code: 0, err: notNoted});
    const [backup = ''] = readdirSync(out);
    expect(readdirSync(join(out, backup)).sort()).toEqual(['files', 'manifest.jsonl', 'parley.db', 'secret']);
    const {code, err} = await operate('serve check', ['--data', directory]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^There is no space for a copy of the database in .*data, which needs \d+ MB\. Free it, or stop the server/,
      ),
    ]);
    expect(lines).toEqual(['administration operator copyDatabase\n']);
  },
);

test.skipIf(!canMount)('full disk: send prints the sentence of the server, whose log names the request', async () => {
  const {directory, fill} = await dataOnSmallDisk();
  const {lines, account} = await served(directory);
  fill();
  const text = 'x'.repeat(9000);
  for (;;) {
    const config = join(scratchDirectory(), 'zuliprc');
    cpSync(account?.zuliprc ?? '', config);
    const {code, err} = await operate('send', ['--config', config, '--to', `@${account?.email}`, '-m', text]);
    if (code === 0) continue;
    expect([code, err]).toEqual([1, 'The server has no space left to save this.\n']);
    break;
  }
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^refusal POST \/api\/v1\/messages address=\S+ user=\d+ status=507 code=INSUFFICIENT_STORAGE\n$/,
    ),
  );
});
