import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {mailNumbers, queuedMails} from '#server/mail/mail-queue.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {steadyPort} from '#test/support/serve-process.ts';
import {testServer} from '#test/support/server.ts';
import {mailServer} from './mail-server.ts';

const from = 'chat@example.com';
const day = 86_400_000;

/** Starts a server whose mail server does not run yet. */
async function startWithoutMailServer(database = ':memory:') {
  const port = await steadyPort();
  const lines: string[] = [];
  const clock = new ManualClock();
  const mail = {smtpUrl: `smtp://127.0.0.1:${port}`, from};
  const server = await testServer({clock, mail, database, log: (line) => lines.push(line)});
  const logged = (line: string, count = 1) =>
    vi.waitUntil(() => lines.filter((each) => each === line).length >= count, {timeout: 30_000});
  await logged('The mail server of --smtp cannot be used');
  const owner = server.people.owner();
  // The owner is warned about the mail server, and would get that by mail, too.
  await server.as(owner).patch('/settings', {enable_offline_email_notifications: false});
  const invite = (address: string) => server.as(owner).post('/invites', {invitee_emails: address, stream_ids: []});
  return {server, clock, port, lines, logged, owner, invite, db: server.context.db};
}

const notSent = 'An e-mail to new@example.com could not be sent';

test('mail queue: a mail that cannot be sent waits longer after each failure, and is sent when the mail server is back', async () => {
  const {server, clock, port, logged, invite, db} = await startWithoutMailServer();
  await invite('new@example.com');
  await logged(notSent);
  expect(queuedMails(db)).toMatchObject(
    [{recipient: 'new@example.com', attempts: 1, error: /ECONNREFUSED/}].map(asMatch),
  );
  const health = await fetch(`${server.url}/health`);
  expect([health.status, JSON.parse(await health.text()).reasons]).toEqual([
    503,
    [{code: 'mail', text: 'The mail server could not be used the last time.'}],
  ]);
  clock.advance(60_000);
  await logged(notSent, 2);
  await vi.waitUntil(() => queuedMails(db)[0]?.attempts === 2, {timeout: 30_000});
  const {received} = await mailServer({port});
  clock.advance(60_000);
  expect(queuedMails(db)).toMatchObject([{attempts: 2}]);
  clock.advance(60_000);
  expect(await received(1)).toMatchObject([{to: ['new@example.com']}]);
  await vi.waitUntil(() => queuedMails(db).length === 0, {timeout: 30_000});
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

test('mail queue: what waits is sent after a restart, and has no link or text until then', async () => {
  const database = join(scratchDirectory(), 'parley.db');
  const first = await startWithoutMailServer(database);
  await first.invite('new@example.com');
  await first.logged(notSent);
  const [row] = queuedMails(first.db);
  expect(row?.about).toMatch(/^\{"invite_id":\d+\}$/);
  await first.server.close();
  const {smtpUrl, received} = await mailServer();
  const clock = new ManualClock();
  clock.advance(first.clock.now() - clock.now());
  await testServer({clock, database, mail: {smtpUrl, from}});
  clock.advance(120_000);
  await vi.waitFor(async () => {
    clock.advance(60_000);
    expect((await received(0)).length).toBe(1);
  }, 30_000);
});

test('mail queue: after two days a mail is given up, and who invited is told; retry tries it again', async () => {
  const {server, clock, port, logged, invite, owner, db} = await startWithoutMailServer();
  await invite('new@example.com');
  await logged(notSent);
  clock.advance(2 * day);
  await logged(notSent, 2);
  await vi.waitUntil(() => queuedMails(db)[0]?.due_at === null, {timeout: 30_000});
  const query = {anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false};
  const {messages} = await server.as(owner).get('/messages', query);
  expect(messages[0].content).toMatch(
    /^The e-mail with your invitation to new@example\.com could not be delivered: .*ECONNREFUSED.* Check the address/,
  );
  expect(mailNumbers(db)).toEqual({waiting: 0, failed: 0, givenUp: 1});
  // Its two days begin again, and no wait is longer than four hours.
  db.run('UPDATE mail_queue SET attempts = 20');
  expect(server.context.mail?.retry()).toBe(1);
  await vi.waitUntil(() => queuedMails(db)[0]?.attempts === 21, {timeout: 30_000});
  expect(queuedMails(db)[0]?.due_at).toBe(Math.floor(clock.now() / 1000) + 4 * 3600);
  const {received} = await mailServer({port});
  expect(server.context.mail?.retry()).toBe(1);
  expect(await received(1)).toMatchObject([{to: ['new@example.com']}]);
});

test('mail queue: an address that the mail server refuses is given up at once; others are sent', async () => {
  const refuses = (address: string) =>
    address === 'wrong@example.com' ? {code: 550, text: 'There is no such mailbox'} : undefined;
  const {smtpUrl, received} = await mailServer({refuses});
  const server = await testServer({clock: new ManualClock(), mail: {smtpUrl, from}, log: () => {}});
  const owner = server.people.owner();
  await server.as(owner).post('/invites', {invitee_emails: 'wrong@example.com,new@example.com', stream_ids: []});
  expect(await received(1)).toMatchObject([{to: ['new@example.com']}]);
  const {db, mail} = server.context;
  await vi.waitUntil(() => queuedMails(db).length === 1, {timeout: 30_000});
  expect(queuedMails(db)).toMatchObject([{recipient: 'wrong@example.com', due_at: null, attempts: 1}]);
  expect(mail?.problem).toBeUndefined();
});

test('mail queue: an address that the mail server refuses for now is tried again, and health says that it waits', async () => {
  const refuses = () => ({code: 450, text: 'Try again later'});
  const {smtpUrl} = await mailServer({refuses});
  const server = await testServer({clock: new ManualClock(), mail: {smtpUrl, from}, log: () => {}});
  await server.as(server.people.owner()).post('/invites', {invitee_emails: 'new@example.com', stream_ids: []});
  const {db} = server.context;
  await vi.waitUntil(() => queuedMails(db)[0]?.attempts === 1, {timeout: 30_000});
  expect(queuedMails(db)).toMatchObject([{due_at: expect.any(Number)}]);
  const health = await fetch(`${server.url}/health`);
  expect(JSON.parse(await health.text()).reasons).toEqual([
    {code: 'mail', text: 'E-mails that could not be sent yet: 1.'},
  ]);
});

test('mail queue: a test that the mail server takes ends the warning about it', async () => {
  const {server, port} = await startWithoutMailServer();
  expect((await fetch(`${server.url}/health`)).status).toBe(503);
  const {received} = await mailServer({port});
  await server.context.mail?.test('ann@example.com');
  expect(await received(1)).toMatchObject([{to: ['ann@example.com']}]);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
});

test('mail queue: what is revoked or read meanwhile, or is for somebody who is deactivated, is not mailed', async () => {
  const {server, clock, port, logged, invite, owner, db} = await startWithoutMailServer();
  await invite('new@example.com');
  await logged(notSent);
  const {invites} = await server.as(owner).get('/invites');
  await server.as(owner).delete(`/invites/${invites[0].id}`);
  const meg = server.people.member();
  const body = new URLSearchParams({email: meg.email});
  await fetch(`${server.url}/accounts/password/reset/`, {method: 'POST', body});
  await vi.waitUntil(() => queuedMails(db).length === 2, {timeout: 30_000});
  const ann = server.people.member('Ann Archer');
  for (const {id} of [meg, ann]) {
    await server.as(owner).post('/messages', {type: 'private', to: [id], content: 'are you there?'});
  }
  clock.advance(120_000);
  await vi.waitUntil(() => queuedMails(db).filter(({kind}) => kind === 'missed').length === 2, {timeout: 30_000});
  await server.as(ann).post('/mark_all_as_read');
  await server.as(owner).delete(`/users/${meg.id}`);
  const {mails} = await mailServer({port});
  await vi.waitUntil(
    () => {
      clock.advance(60_000);
      return queuedMails(db).length === 0;
    },
    {timeout: 30_000},
  );
  expect(mails).toEqual([]);
});

/** Compares texts with patterns. */
function asMatch(row: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof RegExp ? expect.stringMatching(value) : value]),
  );
}
