import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fastClock} from '#test/state/session-fixture.ts';
import {testServer} from '#test/support/server.ts';
import {verbFixture} from './verb-fixture.ts';

async function scene(options: Parameters<typeof testServer>[0] = {}) {
  const server = await testServer({testHooks: true, ...options});
  const [meg, otto] = [server.people.member(), server.people.member('Otto Other')];
  server.people.channel('general', [meg, otto]);
  const {home, ...rest} = verbFixture(server, meg);
  const file = (name: string, text: string) => writeFileSync(join(home, name), text);
  return {server, meg, otto, home, file, ...rest};
}

test('whoami: the user, the role and the server are printed', async () => {
  const {run, server, meg} = await scene();
  expect(await run('whoami', [])).toEqual({
    code: 0,
    out: `Meg Member (${meg.email}), member, at ${server.url}\n`,
    err: '',
  });
  expect(JSON.parse((await run('whoami', ['--json'])).out)).toEqual({
    userId: meg.id,
    fullName: 'Meg Member',
    email: meg.email,
    role: 'member',
    isBot: false,
    site: server.url,
    account: '~/zuliprc',
  });
});

test('users: users are found by part of a name or address, deactivated ones with --all', async () => {
  const {run, server, meg, otto} = await scene();
  const left = server.people.add('Otto Away', {active: false});
  server.people.bot('Robo\u001b[31m', meg);
  expect((await run('users', ['OTTO'])).out).toBe(`${otto.id}  ${otto.email}  Otto Other\n`);
  expect((await run('users', ['otto', '--all'])).out).toContain(`${left.email}   Otto Away (deactivated)`);
  const owner = server.people.owner();
  const hidden = {email: 'secret@example.com', settings: {email_address_visibility: 3}};
  const gus = server.people.add('Gus', hidden);
  expect((await verbFixture(server, owner).run('users', ['SECRET'])).out).toBe(`${gus.id}  secret@example.com  Gus\n`);
  expect((await run('users', ['secret'])).out).toBe('');
  expect((await run('users', ['olive'])).out).toMatch(/ {2}Olive Owner \(owner\)\n$/);
  expect((await run('users', ['robo'])).out).toMatch(/ {2}Robo\[31m \(bot\)\n$/);
  expect(JSON.parse((await run('users', ['--json', otto.email])).out)).toMatchObject([
    {id: otto.id, fullName: 'Otto Other', role: 'member', isActive: true, isBot: false},
  ]);
  const {code, out, err} = await run('users', ['nobody at all']);
  expect([code, out, err.includes('--all')]).toEqual([1, '', true]);
});

test('api: an endpoint is called with values from arguments, files and standard input', async () => {
  const {run, file, server, meg} = await scene();
  const own = await run('api', ['get', '/users/me']);
  expect([own.code, JSON.parse(own.out).user_id, own.out.trimEnd().includes('\n')]).toEqual([0, meg.id, false]);
  expect((await run('api', ['GET', 'users/me'], {outputIsTty: true})).out).toContain('\n  "');
  expect((await run('api', ['GET', 'users/me', '--json'], {outputIsTty: true})).out).toBe(own.out);
  file('words.txt', 'from a file');
  const post = ['POST', '/messages', 'type=private', `to=[${meg.id}]`];
  expect(await run('api', [...post, 'content=@words.txt'])).toMatchObject({code: 0});
  expect(await run('api', [...post, 'content=-'], {input: 'from a pipe'})).toMatchObject({code: 0});
  expect(await run('api', [...post, 'content=@@literally=so'])).toMatchObject({code: 0});
  const query = '/messages?anchor=newest&num_before=3&num_after=0&apply_markdown=false';
  const {messages} = JSON.parse((await run('api', ['GET', query])).out);
  expect(messages.map(({content}: {content: string}) => content)).toEqual([
    'from a file',
    'from a pipe',
    '@literally=so',
  ]);
  expect(server.url).toBeTruthy();
});

test('api: a rejected request prints the response, and the exit code tells its kind', async () => {
  const {run, otto} = await scene();
  const unknown = await run('api', ['GET', '/nonsense']);
  expect([unknown.code, JSON.parse(unknown.out).result]).toEqual([1, 'error']);
  expect(unknown.err).toMatch(/^[^\n]+\n$/);
  const denied = await run('api', ['PATCH', '/realm', 'name=Mine']);
  expect(JSON.parse(denied.out).result).toBe('error');
  expect(await run('api', ['GET', '/../../etc/passwd'])).toMatchObject({code: 1, out: ''});
  expect(await run('api', ['GET', '/users', 'x=@not-there'])).toMatchObject({
    code: 1,
    err: 'Cannot read not-there: no such file.\n',
  });
  expect(otto.id).toBeGreaterThan(0);
});

test('api: an error is printed as the server sent it, whatever its kind', async () => {
  const {run, server, meg} = await scene();
  const expired = await run('api', ['DELETE', '/events', 'queue_id=gone']);
  expect(expired.code).toBe(1);
  expect(JSON.parse(expired.out)).toEqual((await server.as(meg).raw('DELETE', '/events', {queue_id: 'gone'})).body);
  const args = {type: 'stream', to: 'nowhere', topic: 't', content: 'hi'};
  const lost = await run('api', ['POST', '/messages', ...Object.entries(args).map((pair) => pair.join('='))]);
  expect(JSON.parse(lost.out)).toMatchObject({code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere'});
  const narrow = ['GET', '/messages', 'anchor=newest', 'num_before=1', 'num_after=0', 'narrow=[["nonsense","x"]]'];
  expect(JSON.parse((await run('api', narrow)).out)).toMatchObject({code: 'BAD_NARROW', desc: expect.any(String)});
  const {run: runOther} = verbFixture(server, {email: meg.email, apiKey: 'x'.repeat(32)});
  const login = await runOther('api', ['GET', '/users/me']);
  expect([login.code, JSON.parse(login.out)]).toMatchObject([3, {result: 'error', code: 'UNAUTHORIZED'}]);
});

test('api: the account’s key is never printed', async () => {
  const {run, meg, file} = await scene();
  file('echo.txt', meg.apiKey);
  const sent = await run('api', ['POST', '/messages', 'type=private', `to=[${meg.id}]`, 'content=@echo.txt']);
  const {id} = JSON.parse(sent.out);
  const {out, err} = await run('api', ['GET', `/messages/${id}`, 'apply_markdown=false']);
  expect(out).toContain('••••');
  expect(sent.out + out + err).not.toContain(meg.apiKey);
});

test('upload: files are uploaded, and their links printed or sent', async () => {
  const {run, file, server, meg, otto} = await scene();
  file('notes [old].txt', 'hello');
  file('b.bin', '\0\u0001');
  const plain = await run('upload', ['notes [old].txt', 'b.bin']);
  expect([plain.code, plain.err]).toEqual([0, '']);
  expect(plain.out).toMatch(/^\[[^\]]+\]\(\/user_uploads\/\S+\)\n\[b\.bin\]\(\/user_uploads\/\S+\)\n$/);
  expect(JSON.parse((await run('upload', ['b.bin', '--json'])).out)).toMatchObject([{filename: 'b.bin'}]);
  const sent = await run('upload', ['b.bin', '--to', '#general>files', '-m', 'see', '--json']);
  const {id, files} = JSON.parse(sent.out);
  const {message} = await server.as(otto).get(`/messages/${id}`, {apply_markdown: false});
  expect([message.subject, message.content]).toEqual(['files', `see\n${files[0].markdown}`]);
  const piped = await run('upload', ['-', '--name', 'log.txt'], {input: 'line\n'});
  expect(piped.out).toMatch(/^\[log\.txt\]/);
  expect((await run('upload', ['b.bin', '--name', 'c.bin'])).out).toMatch(/^\[c\.bin\]/);
  const api = await run('api', ['POST', '/user_uploads', 'file=@b.bin']);
  expect(JSON.parse(api.out)).toMatchObject({result: 'success', filename: 'b.bin'});
  const noFile = await run('api', ['POST', '/user_uploads', 'file=@@b.bin']);
  expect([noFile.code, JSON.parse(noFile.out).result]).toEqual([1, 'error']);
  expect(meg.id).toBeGreaterThan(0);
});

test('download: a file is written to standard output, by its link or address; only one of this server', async () => {
  const {run, file} = await scene();
  file('a.bin', 'one\0two\n');
  const [{markdown, url}] = JSON.parse((await run('upload', ['a.bin', '--json'])).out);
  for (const link of [markdown, url]) {
    expect(await run('download', [link])).toEqual({code: 0, out: 'one\0two\n', err: ''});
  }
  expect(await run('download', [url], {outputIsTty: true})).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('Add “> FILE”'),
  });
  expect(await run('download', [`https://elsewhere.example${url}`])).toEqual({
    code: 1,
    out: '',
    err: 'This file is on another server, to which Parley does not connect.\n',
  });
});

test('upload: nothing is uploaded when the message could not be sent', async () => {
  const {run, file, server, meg} = await scene();
  file('a.txt', 'a');
  file('empty.txt', '');
  const uploads = async () => (await server.as(meg).get('/attachments')).attachments.length;
  expect(await run('upload', ['a.txt', '--to', '#nowhere'])).toMatchObject({code: 1, out: ''});
  expect(await run('upload', ['missing.txt'])).toMatchObject({
    code: 1,
    err: 'Cannot read missing.txt: no such file.\n',
  });
  expect(await run('upload', ['.'])).toMatchObject({code: 1, err: 'Cannot read .: it is a directory.\n'});
  expect(await run('upload', ['a.txt', 'empty.txt'])).toMatchObject({code: 1, err: 'empty.txt is empty.\n'});
  expect(await uploads()).toBe(0);
});

test('upload: the links of what was uploaded are printed when a later file or the message is refused', async () => {
  const {run, file, hook} = await uploadScene();
  file('a.txt', 'a');
  file('b.txt', 'b');
  const refusal = {method: 'POST', kind: 'status', status: 400, code: 'BAD_REQUEST'};
  await hook('fault', {method: 'POST', path: '/user_uploads', kind: 'delay'});
  await hook('fault', {...refusal, path: '/user_uploads'});
  const partly = await run('upload', ['a.txt', 'b.txt']);
  expect([partly.code, partly.out]).toEqual([1, expect.stringMatching(/^\[a\.txt\]\(\/user_uploads\/\S+\)\n$/)]);
  await hook('fault', {...refusal, path: '/messages'});
  const unsent = await run('upload', ['a.txt', '--to', '#general>files']);
  expect([unsent.code, unsent.out]).toEqual([1, expect.stringMatching(/^\[a\.txt\]\(\/user_uploads\/\S+\)\n$/)]);
  expect(unsent.err).toMatch(/^The files were uploaded, but the message was not sent: ./);
  expect((await run('outbox', [])).out).toBe('The outbox is empty.\n');
});

test('upload: a file over the server’s limit is not sent', async () => {
  const {run, file, server} = await scene();
  const limit = JSON.parse(
    (await run('api', ['POST', '/register', 'fetch_event_types=["realm"]'])).out,
  ).max_file_upload_size_mib;
  file('big.bin', 'x'.repeat(limit * 1024 * 1024 + 1));
  expect(await run('upload', ['big.bin'])).toMatchObject({
    code: 1,
    err: `big.bin is larger than this server’s limit of ${limit} MiB.\n`,
  });
  expect(server.url).toBeTruthy();
});

test('upload: a file whose response was lost is found, sent once and not uploaded again', async () => {
  const {run, file, server, meg, hook} = await uploadScene();
  file('a.txt', 'a');
  await hook('fault', {method: 'POST', path: '/user_uploads', kind: 'drop_after'});
  expect(await run('upload', ['a.txt', '--to', '#general>files'])).toMatchObject({code: 0, err: ''});
  const {attachments} = await server.as(meg).get('/attachments');
  expect(attachments).toMatchObject([{name: 'a.txt', message_ids: [expect.any(Number)]}]);
});

test('upload: when a lost file cannot be looked up, it says how to continue and sends nothing', async () => {
  const {run, file, hook} = await uploadScene();
  file('a.txt', 'a');
  await hook('fault', {method: 'POST', path: '/user_uploads', kind: 'drop_after'});
  await hook('fault', {method: 'GET', path: '/attachments', kind: 'drop_before', times: 99});
  const {code, err} = await run('upload', ['a.txt', '--to', '#general>files'], {clock: fastClock});
  expect(code).toBe(75);
  expect(err).toMatch(/This may have been done\. No message was sent\..*parley api GET/);
});

async function uploadScene() {
  const parts = await scene();
  const hook = (name: string, body: object) =>
    fetch(`${parts.server.url}/test-hooks/${name}`, {method: 'POST', body: JSON.stringify(body)});
  return {...parts, hook};
}
