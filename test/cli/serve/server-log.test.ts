import {readFileSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {logWriter, serverLog} from '#cli/serve/operator-socket.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';

async function startFixture(format: 'text' | 'json' = 'text') {
  const clock = new ManualClock();
  const lines: string[] = [];
  const log = serverLog(format, clock, (line) => lines.push(line));
  const server = await testServer({clock, log: log.line, onEvent: log.event});
  const withoutTime = () => lines.map((line) => line.replace(/^\S+ /, ''));
  return {server, clock, lines, log, withoutTime};
}

const address = 'address=127.0.0.1';

test('server log: joins, logins, administration and refusals have one line each, and messages none', async () => {
  const {server, withoutTime} = await startFixture();
  const [owner, meg] = [server.people.owner(), server.people.member('Meg')];
  const general = server.people.channel('general', [owner, meg]);
  const {invite_link: link} = await server
    .as(owner)
    .post('/invites/multiuse', {stream_ids: [], invite_expires_in_minutes: 9});
  const password = 'correct horse battery';
  const form = {name: 'Ann', email: 'ann@example.com', password};
  expect((await fetch(link, {method: 'POST', body: new URLSearchParams(form)})).status).toBe(200);
  const {user_id: ann} = await server.anonymous().post('/fetch_api_key', {username: form.email, password});
  await server.anonymous().raw('POST', '/fetch_api_key', {username: form.email, password: 'a wrong password'});
  await server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 'the topic', content: 'the secret'});
  await server.as(meg).raw('POST', '/messages', {type: 'stream', to: 'the secret channel', topic: 't', content: 'x'});
  await server.as(meg).raw('PATCH', '/realm', {name: 'Taken over'});
  await server.as(owner).patch(`/streams/${general}`, {description: 'the description'});
  expect(withoutTime()).toEqual([
    `administration POST /api/v1/invites/multiuse ${address} user=${owner.id}\n`,
    `join POST /join/:key ${address} user=${ann}\n`,
    `login POST /api/v1/fetch_api_key ${address} user=${ann}\n`,
    `refusal POST /api/v1/fetch_api_key ${address} status=401 code=AUTHENTICATION_FAILED\n`,
    `refusal POST /api/v1/messages ${address} user=${meg.id} status=400 code=STREAM_DOES_NOT_EXIST\n`,
    expect.stringMatching(/^refusal PATCH \/api\/v1\/realm .* status=400 code=\w+\n$/),
    `administration PATCH /api/v1/streams/${general} ${address} user=${owner.id}\n`,
  ]);
});

test('server log: an error is one line; as JSON, every line is an object with its time', async () => {
  const {lines, log, clock, server} = await startFixture('json');
  log.line('A job failed', new Error('first line\nsecond line'));
  await server.anonymous().raw('GET', '/users/me');
  const [error, refusal] = lines.map((line) => JSON.parse(line));
  expect(error).toMatchObject({
    time: new Date(clock.now()).toISOString(),
    event: 'error',
    text: 'A job failed',
    error: expect.stringMatching(/first line\nsecond line/),
  });
  expect(refusal).toMatchObject({event: 'refusal', text: 'GET /api/v1/users/me', status: 401, code: 'UNAUTHORIZED'});
  const text: string[] = [];
  serverLog('text', clock, (line) => text.push(line)).line('A job failed', new Error('first line\nsecond line'));
  expect(text[0]).toMatch(/ error A job failed error=Error: first line \| second line \| at .*\n$/);
  expect(text[0]?.trim()).not.toContain('\n');
});

test('server log: a file that the system renames is created again with the next line', () => {
  const path = join(scratchDirectory(), 'parley.log');
  const write = logWriter(path, () => {});
  write('one\n');
  renameSync(path, `${path}.1`);
  write('two\n');
  expect([readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['one\n', 'two\n']);
});
