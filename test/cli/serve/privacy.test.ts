import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {archiveExpired} from '#server/actions/messages/archive-messages.ts';
import {queuedMails} from '#server/mail/mail-queue.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import {operate, servedDirectory} from './operator-fixture.ts';

/** A served organization in which Ann has said something, and has files and settings. */
async function withAnn() {
  const fixture = await servedDirectory();
  const {server, directory} = fixture;
  const [owner, ann, bea] = [server.people.owner(), server.people.member('Ann Archer'), server.people.member('Bea')];
  server.people.channel('harbor', [owner, ann, bea]);
  const client = server.as(ann);
  const upload = async (name: string) =>
    String(
      (await client.upload('/user_uploads', name, new TextEncoder().encode(`content of ${name}`), 'text/plain')).body
        .url,
    );
  const [shown, unused] = [await upload('shown.txt'), await upload('unused.txt')];
  const send = (content: string) => client.post('/messages', {type: 'stream', to: 'harbor', topic: 'tides', content});
  await send('High water at nine.');
  await send(`[shown](${shown})`);
  await client.post('/messages', {type: 'private', to: [bea.id], content: 'just for Bea'});
  await server.as(bea).post('/messages', {type: 'private', to: [ann.id], content: 'just for Ann'});
  await client.post('/saved_snippets', {title: 'greeting', content: 'Hello from Ann'});
  const fileOf = (url: string) => join(directory, 'files', url.replace('/user_uploads/', ''));
  const run = (...argv: string[]) => operate('serve user', [...argv, '--data', directory]);
  const page = {anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false};
  const texts = async () => {
    const {messages} = await server.as(bea).get('/messages', page);
    return messages.map(
      ({sender_full_name: name, content}: {sender_full_name: string; content: string}) => `${name}: ${content}`,
    );
  };
  const files = {upload, fileOf, shown: fileOf(shown), unused: fileOf(unused)};
  /** Sends a message as Ann that is in the archive at once. */
  const archive = async (content: string) => {
    const channel = server.people.channel('attic', [ann]);
    server.context.db.run('UPDATE channel SET message_retention_days = 1 WHERE id = ?', channel);
    const {id} = await client.post('/messages', {type: 'channel', to: channel, topic: 't', content});
    server.context.db.run('UPDATE message SET sent_at = 1 WHERE id = ?', id);
    expect(server.context.runAction(archiveExpired)).toBe(1);
  };
  return {...fixture, owner, ann, bea, client, ...files, archive, run, texts};
}

test('serve user export: everything about a person is in private files, and nothing of others', async () => {
  const {run, ann, client} = await withAnn();
  await client.upload('/users/me/avatar', 'me.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png');
  await run('role', ann.email, 'moderator');
  const out = join(scratchDirectory(), 'ann');
  const {code, out: text} = await run('export', ann.email, out);
  expect([code, text]).toEqual([0, expect.stringMatching(/: 5 messages, 3 files\. /)]);
  const table = (name: string) => JSON.parse(readFileSync(join(out, `${name}.json`), 'utf8'));
  expect(table('profile')).toMatchObject([{delivery_email: ann.email, full_name: 'Ann Archer', role: 300}]);
  expect(table('messages').map(({content}: {content: string}) => content)).toEqual([
    'High water at nine.',
    expect.stringMatching(/^\[shown\]/),
    'just for Bea',
    'just for Ann',
    expect.stringContaining('New role:** Moderator'),
  ]);
  expect(table('saved_snippet')).toMatchObject([{content: 'Hello from Ann'}]);
  expect(table('administration_log')).toMatchObject([{action: 'operator.setUserRole'}]);
  const stored = readdirSync(join(out, 'files'), {recursive: true, encoding: 'utf8'});
  expect(
    stored
      .map((name) => name.split('.').at(-1))
      .sort()
      .slice(-3),
  ).toEqual(['png', 'txt', 'txt']);
  expect(statSync(out).mode & 0o777).toBe(0o700);
  expect(JSON.stringify(readdirSync(out).map((name) => name))).not.toContain('partial');
});

test('serve user export: an unknown person, or a folder that exists, writes nothing', async () => {
  const {run, ann} = await withAnn();
  const out = join(scratchDirectory(), 'ann');
  expect(await run('export', 'nobody@example.com', out)).toMatchObject({code: 1, out: ''});
  expect(existsSync(out)).toBe(false);
  expect((await run('export', ann.email, scratchDirectory())).err).toMatch(/ exists already\. Name a new folder\.\n$/);
});

test('serve user delete: messages stay under “Deleted user”, the account and what belonged to it are gone', async () => {
  const {server, run, ann, owner, client, texts, shown, unused, directory, bea, upload, fileOf, archive} =
    await withAnn();
  // A message in the archive may be put back, with its file. What is to be mailed to others stays.
  const old = await upload('old.txt');
  await archive(`[old](${old})`);
  for (const recipient of [ann.email.toUpperCase(), bea.email]) {
    const row = {kind: 'password', recipient, about: '{}', created_at: 0, due_at: 0};
    server.context.runAction(({db}) => db.insertRow('mail_queue', row));
  }
  // An invitation that was sent before the account was created.
  await server.as(owner).post('/invites', {invitee_emails: 'new@example.com', stream_ids: []});
  server.context.db.run('UPDATE invite SET email = ?', ann.email.toUpperCase());
  const overSsh = join(directory, 'ssh', 'people', String(ann.id));
  mkdirSync(overSsh, {recursive: true});
  writeFileSync(join(overSsh, 'config.toml'), '');
  const queue = await server.as(bea).listen({event_types: ['realm_user']});
  expect(await run('delete', ann.email)).toMatchObject({code: 2, err: expect.stringContaining('Add --yes')});
  const {code, out} = await run('delete', ann.email, '--yes');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/3 messages are now of “Deleted user”, 1 files were deleted\.\nWhat stays: .*backups/),
  ]);
  expect(await texts()).toEqual(
    expect.arrayContaining(['Deleted user: High water at nine.', 'Deleted user: just for Bea']),
  );
  expect((await queue.events()).map(({person}) => person)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({full_name: 'Deleted user'}),
      expect.objectContaining({is_active: false}),
      expect.objectContaining({new_email: expect.stringMatching(new RegExp(`^deleteduser${ann.id}@`))}),
    ]),
  );
  await client.refused('GET', '/users/me', {}, {code: 'UNAUTHORIZED', status: 401});
  const {db} = server.context;
  expect(db.get('SELECT 1 FROM saved_snippet')).toBeUndefined();
  expect(
    db.get('SELECT 1 FROM user WHERE delivery_email = ? OR full_name = ?', ann.email, 'Ann Archer'),
  ).toBeUndefined();
  expect(queuedMails(db).map(({recipient}) => recipient)).toEqual([bea.email]);
  expect([db.get('SELECT 1 FROM invite'), existsSync(overSsh)]).toEqual([undefined, false]);
  await expect.poll(() => [shown, unused, fileOf(old)].map((path) => existsSync(path))).toEqual([true, false, true]);
  expect((await operate('serve check', ['--data', directory])).out).toMatch(/ is whole\./);
  expect((await run('reactivate', ann.email)).code).toBe(1);
});

test('serve user delete --erase-messages: messages and files are gone too, and those of others stay', async () => {
  const {server, run, ann, bea, owner, client, texts, shown, directory, archive} = await withAnn();
  await client.post('/messages', {type: 'private', to: [owner.id], content: 'just for the owner'});
  await archive('an old secret');
  const queue = await server.as(bea).listen({event_types: ['delete_message']});
  const {out} = await run('delete', ann.email, '--erase-messages', '--yes', '--json');
  expect(JSON.parse(out)).toMatchObject({messages_erased: 5, messages_kept: 0, files_deleted: 2});
  expect(server.context.db.get('SELECT 1 FROM archived_message')).toBeUndefined();
  // Those in the channel, and the one for Bea.
  expect((await queue.events()).map(({message_ids: ids}) => ids.length)).toEqual([2, 1]);
  const left = await texts();
  expect(left.filter((text: string) => text.startsWith('Deleted user'))).toEqual([]);
  expect(left).toContain('Bea: just for Ann');
  await expect.poll(() => existsSync(shown)).toBe(false);
  expect((await operate('serve check', ['--data', directory])).out).toMatch(/ is whole\./);
});

test('serve user delete: the only owner and a bot are refused, and keep everything', async () => {
  const {server, run} = await withAnn();
  const owners = server.context.db.all<{delivery_email: string}>('SELECT * FROM user WHERE role = 100 AND is_bot = 0');
  for (const {delivery_email: email} of owners.slice(1)) await run('deactivate', email);
  const [last] = owners;
  expect(await run('delete', last?.delivery_email ?? '', '--yes')).toMatchObject({
    code: 1,
    err: 'Cannot deactivate the only organization owner.\n',
  });
});
