import {readFileSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {logWriter, serverLog} from '#cli/serve/server-log.ts';
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
    `refusal POST /api/v1/fetch_api_key ${address} claimed=${ann} status=401 code=AUTHENTICATION_FAILED\n`,
    `refusal POST /api/v1/messages ${address} user=${meg.id} status=400 code=STREAM_DOES_NOT_EXIST\n`,
    expect.stringMatching(new RegExp(`^refusal PATCH /api/v1/realm ${address} user=${meg.id} status=400 code=\\w+\n$`)),
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
  const write = logWriter(path, new PassThrough());
  write('one\n', () => {});
  renameSync(path, `${path}.1`);
  write('two\n', () => {});
  expect([readFileSync(`${path}.1`, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['one\n', 'two\n']);
});

test('server log: lines that cannot be written are counted, and the count is logged when a line can be', () => {
  const lines: string[] = [];
  let isFull = true;
  const log = serverLog('text', new ManualClock(), (line, done) => {
    if (!isFull) lines.push(line.slice(25));
    done(!isFull);
  });
  for (const text of ['one', 'two', 'three']) log.line(text);
  isFull = false;
  for (const text of ['four', 'five']) log.line(text);
  expect(lines).toEqual(['notice four\n', 'notice 3 lines of the log could not be written.\n', 'notice five\n']);
});

test('server log: a count that is lost itself is part of the next one', () => {
  const lines: string[] = [];
  const isWritten = [false, false, true, false, true, true];
  const log = serverLog('text', new ManualClock(), (line, done) => {
    lines.push(line.slice(25));
    done(isWritten.shift() === true);
  });
  for (const text of ['one', 'two', 'three', 'four']) log.line(text);
  expect(lines.slice(-3)).toEqual([
    'notice 2 lines of the log could not be written.\n',
    'notice four\n',
    'notice 2 lines of the log could not be written.\n',
  ]);
});

test('server log: what cannot be written to the file goes to standard error', async () => {
  const stderr = new PassThrough({encoding: 'utf8'});
  serverLog('text', new ManualClock(), logWriter('/dev/full', stderr)).line('one');
  expect(stderr.read()).toMatch(/ notice one\n$/);
});

test('server log: a reader of standard error that stops reading costs lines, not memory', () => {
  const stderr = new PassThrough();
  const log = serverLog('text', new ManualClock(), logWriter(undefined, stderr));
  const text = 'x'.repeat(1000);
  for (let count = 0; count < 5000; count++) log.line(text);
  expect(stderr.writableLength + stderr.readableLength).toBeLessThan(2 ** 21);
});

test('server log: equal refusals within a minute are summed; those of another account have their own line', async () => {
  const {server, clock, withoutTime, log} = await startFixture();
  const [meg, otto] = [server.people.member('Meg'), server.people.member('Otto')];
  const refuse = (person: typeof meg) => server.as(person).raw('PATCH', '/realm', {name: 'Taken over'});
  for (let count = 0; count < 4; count++) await refuse(meg);
  await refuse(otto);
  const line = (person: typeof meg, repeated = '') =>
    expect.stringMatching(new RegExp(`^refusal PATCH /api/v1/realm${repeated} .*user=${person.id} `));
  expect(withoutTime()).toEqual([line(meg), line(otto)]);
  clock.advance(60_000);
  expect(withoutTime()).toEqual([line(meg), line(otto), line(meg, ' × 3 in 60 s')]);
  await refuse(meg);
  await refuse(meg);
  log.event({event: 'end', request: server.url});
  expect(withoutTime().slice(3)).toEqual([line(meg), line(meg, ' × 1 in 60 s'), `end ${server.url}\n`]);
});

test('server log: a wrong key names the account that it claimed to be, and no other address', async () => {
  const {server, withoutTime} = await startFixture();
  const meg = server.people.member('Meg');
  await server.as({...meg, apiKey: 'x'.repeat(32)}).raw('GET', '/users/me');
  await server.as({...meg, email: 'nobody@example.com', apiKey: 'x'.repeat(32)}).raw('GET', '/users/me');
  expect(withoutTime()).toEqual([
    expect.stringContaining(` claimed=${meg.id} status=401`),
    expect.not.stringContaining('nobody'),
  ]);
  expect(withoutTime()[1]).not.toContain('claimed');
});
