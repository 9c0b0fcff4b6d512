import {expect, test, vi} from 'vitest';
import {queuedMails} from '#server/mail/mail-queue.ts';
import {mailServer} from '#test/server/mail/mail-server.ts';
import {demoDirectory, operate, servedDirectory} from './operator-fixture.ts';

const from = 'chat@example.com';

test('serve mail: test sends an e-mail at once, or says what the mail server answered', async () => {
  const refuses = (address: string) => (address.startsWith('wrong') ? {code: 550, text: 'No such mailbox'} : undefined);
  const {smtpUrl, received} = await mailServer({refuses});
  const {directory} = await servedDirectory({mail: {smtpUrl, from}});
  const testMail = (to: string) => operate('serve mail', ['test', to, '--data', directory]);
  expect(await testMail('ann@example.com')).toMatchObject({
    code: 0,
    out: 'The mail server took an e-mail to ann@example.com.\n',
  });
  expect(await received(1)).toMatchObject([{to: ['ann@example.com'], subject: 'A test of the chat server'}]);
  expect(await testMail('wrong@example.com')).toMatchObject({code: 1, err: expect.stringContaining('No such mailbox')});
  expect(await testMail('nobody')).toMatchObject({code: 1, err: 'Enter an address such as ann@example.com.\n'});
});

test('serve mail: queue lists what waits with its error, and retry tries it now', async () => {
  const {directory, server} = await servedDirectory({mail: {smtpUrl: 'smtp://127.0.0.1:9', from}, log: () => {}});
  const owner = server.people.owner();
  await server.as(owner).post('/invites', {invitee_emails: 'new@example.com', stream_ids: []});
  await vi.waitUntil(() => queuedMails(server.context.db)[0]?.attempts === 1, {timeout: 30_000});
  const {out} = await operate('serve mail', ['queue', '--data', directory, '--json']);
  expect(JSON.parse(out)).toMatchObject([
    {kind: 'invitation', recipient: 'new@example.com', attempts: 1, error: expect.stringContaining('ECONNREFUSED')},
  ]);
  expect((await operate('serve mail', ['retry', '--data', directory])).out).toBe('Trying 1 e-mail now.\n');
  await vi.waitUntil(() => queuedMails(server.context.db)[0]?.attempts === 2, {timeout: 30_000});
  server.context.runAction(({db}) => db.run('UPDATE mail_queue SET due_at = NULL'));
  expect((await operate('serve mail', ['queue', '--data', directory])).out).toMatch(
    / 2 failed +given up +.*ECONNREFUSED/,
  );
  server.context.runAction(({db, now}) => db.run('UPDATE mail_queue SET due_at = ?', now + 60));
  const {out: status} = await operate('serve status', ['--data', directory]);
  expect(status).toMatch(/^mail +1 waiting, 0 given up; the mail server said: .*ECONNREFUSED/m);
});

test('serve mail: without a mail server or a running server, it says how to start one', async () => {
  const {directory} = await servedDirectory();
  const run = (data: string, ...argv: string[]) => operate('serve mail', [...argv, '--data', data]);
  expect((await run(directory, 'test', 'ann@example.com')).err).toBe(
    'This server sends no e-mail. Start it with --smtp and --mail-from.\n',
  );
  expect((await run(directory, 'queue')).out).toBe('No e-mail waits.\n');
  expect((await run(await demoDirectory(), 'retry')).err).toBe(
    'The server does not run. Start it with --smtp and --mail-from.\n',
  );
  expect(await run(directory, 'test')).toMatchObject({code: 2});
});
