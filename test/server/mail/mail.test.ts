import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {SMTPServer} from 'smtp-server';
import {expect, onTestFinished, test, vi} from 'vitest';
import {queuedMails} from '#server/mail/mail-queue.ts';
import {smtpTransport} from '#server/mail/mailer.ts';
import {ManualClock} from '#test/support/manual-clock.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {testServer} from '#test/support/server.ts';
import {mailServer, type ReceivedMail} from './mail-server.ts';

/** Starts a mail server that wants a login and offers no TLS; `logins` has the passwords that it got. */
async function plainMailServer() {
  const logins: unknown[] = [];
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({password}, _, done) {
      logins.push(password);
      done(new Error('This server refuses every login.'));
    },
  });
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  const {port} = smtp.server.address() as AddressInfo;
  return {smtpUrl: `smtp://name:hunter2@127.0.0.1:${port}`, logins};
}

test('mail: a password is not sent to a mail server that offers no TLS, and the error says why', async () => {
  const {smtpUrl, logins} = await plainMailServer();
  const transport = smtpTransport({smtpUrl, from: 'chat@example.com'});
  onTestFinished(() => transport.close());
  await expect(transport.send({to: 'ann@example.com', subject: 'x', text: 'y'})).rejects.toThrow(/STARTTLS/);
  expect(logins).toEqual([]);
});

test('mail: a password is sent to a mail server without TLS if the operator allows it', async () => {
  const {smtpUrl, logins} = await plainMailServer();
  const transport = smtpTransport({smtpUrl, from: 'chat@example.com', allowsPlainLogin: true});
  onTestFinished(() => transport.close());
  await expect(transport.send({to: 'ann@example.com', subject: 'x', text: 'y'})).rejects.toThrow(/refuses every login/);
  expect(logins).toEqual(['hunter2']);
});

async function startFixture() {
  const {smtpUrl, mails, received} = await mailServer();
  const clock = new ManualClock();
  const server = await testServer({clock, mail: {smtpUrl, from: 'Parley <chat@example.com>'}});
  const [meg, ann] = [server.people.member('Meg Member'), server.people.member('Ann Archer')];
  return {server, clock, meg, ann, mails, received};
}

const linkIn = (mail: ReceivedMail | undefined) => /^http\S+$/m.exec(mail?.body ?? '')?.[0] ?? '';

test('mail: an invitation is mailed with its link, which nobody else gets, and sent again', async () => {
  const {server, received} = await startFixture();
  const owner = server.as(server.people.owner());
  const params = {invitee_emails: 'new@example.com', stream_ids: [], invite_expires_in_minutes: 600};
  expect((await owner.post('/invites', params)).invite_links).toBeUndefined();
  const [mail] = await received(1);
  expect(mail).toMatchObject({to: ['new@example.com'], subject: expect.stringMatching(/ invited you to /)});
  expect((await fetch(linkIn(mail))).status).toBe(200);
  const {invites} = await owner.get('/invites');
  expect((await owner.post(`/invites/${invites[0].id}/resend`)).invite_link).toBeUndefined();
  expect(linkIn((await received(2))[1])).toBe(linkIn(mail));
});

test('mail: who forgot the password gets a link, once in five minutes; the page tells nobody who has an account', async () => {
  const {server, clock, meg, mails, received} = await startFixture();
  const ask = async (email: string) => {
    const response = await fetch(`${server.url}/accounts/password/reset/`, {
      method: 'POST',
      body: new URLSearchParams({email}),
    });
    return (await response.text()).replaceAll(email, 'EMAIL');
  };
  const [page, unknown, repeated] = [await ask(meg.email), await ask('nobody@example.com'), await ask(meg.email)];
  expect([unknown, repeated]).toEqual([page, page]);
  const [mail] = await received(1);
  expect(mail).toMatchObject({to: [meg.email], subject: expect.stringMatching(/^Your password for /)});
  const link = linkIn(mail);
  const password = 'a new and long password';
  expect((await fetch(link, {method: 'POST', body: new URLSearchParams({password})})).status).toBe(200);
  await server.anonymous().post('/fetch_api_key', {username: meg.email, password});
  clock.advance(300_000);
  await ask(meg.email);
  await received(2);
  expect(mails.map(({to}) => to)).toEqual([[meg.email], [meg.email]]);
});

test('mail: without a mail server, the page for a forgotten password says whom to ask', async () => {
  const server = await testServer();
  for (const method of ['GET', 'POST']) {
    const response = await fetch(`${server.url}/accounts/password/reset`, {method});
    expect([response.status, await response.text()]).toEqual([501, expect.stringContaining('sends no e-mail')]);
  }
});

test('mail: unread messages of people who are away are mailed after their time, one mail per conversation', async () => {
  const {server, clock, meg, ann, received} = await startFixture();
  server.people.channel('general', [meg, ann]);
  const send = (content: string) =>
    server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 'tides', content});
  const direct = (content: string) => server.as(meg).post('/messages', {type: 'private', to: [ann.id], content});
  await send('nobody is named here');
  await direct('are you there?');
  clock.advance(60_000);
  await direct('call me');
  await send(`@**Ann Archer** look`);
  await server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 'moon', content: '@**all** look up'});
  clock.advance(60_000);
  const mails = await received(3);
  expect(mails.map(({to, subject}) => [to[0], subject]).sort()).toEqual([
    [ann.email, '#general > moon'],
    [ann.email, '#general > tides'],
    [ann.email, 'Direct messages with Meg Member'],
  ]);
  const body = (subject: string) => mails.find((mail) => mail.subject.startsWith(subject))?.body;
  expect(body('Direct')).toMatch(/^Meg Member:\n\nare you there\?\n\nMeg Member:\n\ncall me\n/);
  expect(body('#general > tides')).toMatch(/^Meg Member:\n\n@\*\*Ann Archer\*\* look\n/);
});

test('mail: who is active, read it meanwhile, muted it, is deactivated or does not want it gets no mail about messages; texts are left out on request', async () => {
  const {server, clock, meg, ann, mails, received} = await startFixture();
  const [bea, cat] = [server.people.member('Bea'), server.people.member('Cat')];
  const dan = server.people.member('Dan');
  await server.as(ann).post('/users/me/presence', {status: 'active', new_user_input: true, ping_only: true});
  await server.as(cat).patch('/settings', {enable_offline_email_notifications: false});
  await server.as(dan).patch('/settings', {message_content_in_email_notifications: false});
  for (const {id} of [ann, bea, cat, dan]) {
    await server.as(meg).post('/messages', {type: 'private', to: [id], content: 'the secret'});
  }
  await server.as(bea).post('/mark_all_as_read');
  // Eve muted the topic in which everybody is mentioned, and Fay is deactivated before the time of her mail.
  const [eve, fay] = [server.people.member('Eve'), server.people.member('Fay')];
  const channel = server.people.channel('general', [meg, eve]);
  await server.as(eve).post('/user_topics', {stream_id: channel, topic: 'tides', visibility_policy: 1});
  await server.as(meg).post('/messages', {type: 'stream', to: 'general', topic: 'tides', content: '@**all** look'});
  await server.as(meg).post('/messages', {type: 'private', to: [fay.id], content: 'the secret'});
  await server.as(server.people.owner()).delete(`/users/${fay.id}`);
  clock.advance(120_000);
  await received(1);
  clock.advance(3600_000);
  await vi.waitUntil(() => queuedMails(server.context.db).length === 0, {timeout: 30_000});
  expect(mails).toMatchObject([{to: [dan.email], body: expect.stringMatching(/^You have an unread message there\./)}]);
  expect(mails[0]?.body).not.toContain('secret');
});

test('mail: followed topics, chosen channels and mentions of everybody are mailed as the settings of each say', async () => {
  const {server, clock, meg, mails} = await startFixture();
  const {people} = server;
  const add = (name: string, settings: object = {}) => people.add(name, {settings});
  const [fred, cleo, una] = [add('Fred'), add('Cleo'), add('Una')];
  const quinn = add('Quinn', {enable_stream_email_notifications: true});
  const wes = add('Wes', {wildcard_mentions_notify: false});
  const channel = people.channel('general', [meg, fred, cleo, una, quinn, wes]);
  const choose = (person: typeof meg, property: string, value: boolean) =>
    server.as(person).post('/users/me/subscriptions/properties', {
      subscription_data: [{stream_id: channel, property, value}],
    });
  const setPolicy = (person: typeof meg, visibility_policy: number) =>
    server.as(person).post('/user_topics', {stream_id: channel, topic: 'tides', visibility_policy});
  await setPolicy(fred, 3);
  await choose(cleo, 'email_notifications', true);
  // The topic is unmuted in a muted channel.
  await choose(una, 'email_notifications', true);
  await choose(una, 'is_muted', true);
  await setPolicy(una, 2);
  await choose(quinn, 'email_notifications', false);
  const send = (topic: string, content: string) =>
    server.as(meg).post('/messages', {type: 'stream', to: 'general', topic, content});
  await send('tides', 'High water at nine.');
  await send('moon', '@**all** look up');
  people.setting('message_content_allowed_in_email_notifications', false);
  clock.advance(120_000);
  await vi.waitUntil(() => queuedMails(server.context.db).length === 0, {timeout: 30_000});
  expect(mails.map(({to, subject}) => `${to[0]} ${subject}`).sort()).toEqual([
    'cleo@example.com #general > moon',
    'cleo@example.com #general > tides',
    'fred@example.com #general > moon',
    'fred@example.com #general > tides',
    'quinn@example.com #general > moon',
    'una@example.com #general > tides',
  ]);
  expect(mails.filter(({body}) => body.includes('High water'))).toEqual([]);
});

test('mail: what somebody missed before a restart is mailed after it', async () => {
  const {smtpUrl, received} = await mailServer();
  const clock = new ManualClock();
  const database = join(scratchDirectory(), 'parley.db');
  const options = {clock, database, mail: {smtpUrl, from: 'chat@example.com'}};
  const first = await testServer(options);
  const [meg, ann] = [first.people.member('Meg Member'), first.people.member('Ann Archer')];
  await first.as(meg).post('/messages', {type: 'private', to: [ann.id], content: 'are you there?'});
  await first.close();
  await testServer(options);
  clock.advance(120_000);
  expect(await received(1)).toMatchObject([{to: [ann.email], subject: 'Direct messages with Meg Member'}]);
});
