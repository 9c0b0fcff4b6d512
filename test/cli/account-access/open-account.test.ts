import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {connect} from '#cli/account-access/connect.ts';
import {openAccount} from '#cli/account-access/lazy-account.ts';
import {Cancelled, PlainFailure, UsageError} from '#cli/io.ts';
import {reportFailure} from '#cli/report-failure.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {ConfigError} from '#config/private-files.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';
import {endpoints} from '#wire/endpoints.ts';
import {LoginFailure, MalformedFailure, PermanentFailure, RegisterFailure, RetryFailure} from '#wire/failure.ts';

const text = '[api]\nemail=meg@example.com\nkey=abc\nsite=chat.example.com\n';

test('openAccount: a repaired account file prints a notice on standard error', async () => {
  const io = testIo();
  const file = join(io.home, 'zuliprc');
  writeFileSync(file, text);
  chmodSync(file, 0o644);
  const {account, release} = await openAccount({}, io);
  expect([account.email, io.out(), io.err()]).toEqual([
    'meg@example.com',
    '',
    `Other users could read ${file}, which contains your API key. Parley made it private.\n`,
  ]);
  await release();
});

test('openAccount: a named account “demo” wins over the demo organization', async () => {
  const io = testIo();
  new NamedAccounts(pathsOf({}, io.home)).add('demo', parseZuliprc(text, 'x', io.home));
  expect((await openAccount({account: 'demo'}, io)).account.site).toBe('https://chat.example.com');
});

test('openAccount: a missing named account is an error, not the demo', async () => {
  await expect(openAccount({account: 'work'}, testIo())).rejects.toThrow('There is no account “work”.');
});

test('connect: the connection has the account’s credentials and no proxy for this machine', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const env = {http_proxy: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1'};
  const account = {site: server.url, email: meg.email, key: async () => meg.apiKey, tls: {insecure: false}};
  const connection = await connect(account, testIo({env}));
  expect(await connection.call(endpoints.getOwnUser, {})).toMatchObject({user_id: meg.id});
  await connection.close();
});

test.each([
  [{http_proxy: 'http://127.0.0.1:1'}, 'http:', '127.0.0.1:1'],
  [{HTTPS_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:2'}, 'https:', '127.0.0.1:1'],
  [{ALL_PROXY: 'http://127.0.0.1:2'}, 'http:', '127.0.0.1:2'],
  [{https_proxy: '', HTTPS_PROXY: 'http://127.0.0.1:1'}, 'https:', '127.0.0.1:1'],
  [{all_proxy: 'http://127.0.0.1:1', ALL_PROXY: 'http://127.0.0.1:2'}, 'https:', '127.0.0.1:1'],
  [{ALL_PROXY: 'http://127.0.0.1:2', NO_PROXY: 'chat.invalid'}, 'http:', undefined],
])('connect: %j is the proxy of a remote server', async (env, scheme, proxy) => {
  const site = `${scheme}//chat.invalid`;
  const account = {site, email: 'm', key: async () => 'k', tls: {insecure: false}};
  const connection = await connect(account, testIo({env}));
  const failure = await connection.call(endpoints.getOwnUser, {}).catch((error: unknown) => error);
  expect(failure).toMatchObject({kind: 'retry', reason: 'network'});
  const start = proxy === undefined ? 'Cannot reach chat.invalid' : `Cannot reach the proxy ${proxy}`;
  expect(String(failure)).toContain(start);
  await connection.close();
});

test('connect: SSL_CERT_FILE names the authorities, and a file without any is reported', async () => {
  const io = testIo();
  const file = join(io.home, 'ca.pem');
  const connectWith = (site: string) =>
    connect(
      {site, email: 'm', key: async () => 'k', tls: {insecure: false}},
      testIo({home: io.home, env: {SSL_CERT_FILE: file}}),
    );
  await expect(connectWith('https://chat.example.com')).rejects.toThrow(`There is no file ${file}.`);
  writeFileSync(file, 'nothing');
  await expect(connectWith('https://chat.example.com')).rejects.toThrow(
    'The file named by SSL_CERT_FILE cannot be used: it contains no certificate in PEM format.',
  );
  await (await connectWith('http://chat.example.com')).close();
});

test('connect: certificates are read from the account’s files', async () => {
  const io = testIo();
  const tls = {insecure: false, certBundle: join(io.home, 'gone.pem')};
  const account = {site: 'https://chat.example.com', email: 'm', key: async () => 'k', tls};
  await expect(connect(account, io)).rejects.toThrow(`There is no file ${io.home}/gone.pem.`);
});

const info = {endpoint: 'x', carriedOut: 'no'} as const;

test.each([
  [new UsageError('words'), 2],
  [new ConfigError('words'), 3],
  [new PlainFailure('words'), 1],
  [new PlainFailure('words', 5), 5],
  [new Cancelled('words'), 1],
  [new LoginFailure('words', {...info, code: 'UNAUTHORIZED'}), 3],
  [new RetryFailure('words', {...info, reason: 'network'}), 4],
  [new RetryFailure('words', {...info, reason: 'rateLimit'}), 4],
  [new PermanentFailure('words', {...info, code: 'CANNOT_CONNECT'}), 4],
  [new PermanentFailure('words', {...info, code: 'BAD_REQUEST', status: 400}), 1],
  [new PermanentFailure('words', {...info, code: 'BAD_REQUEST', status: 403}), 5],
  [new PermanentFailure('words', {...info, code: 'PERMISSION_DENIED', status: 400}), 5],
  [new PermanentFailure('words', {...info, code: 'SERVER_TOO_OLD'}), 1],
  [new RegisterFailure('words', info), 1],
  [new MalformedFailure('words', info), 1],
])('exit codes: %s (%#) is reported in one line with its exit code', (error, code) => {
  const io = testIo();
  expect([reportFailure(io, error), io.out(), io.err()]).toEqual([code, '', 'words\n']);
});

test('exit codes: a bug in the program is thrown, not reported', () => {
  expect(() => reportFailure(testIo(), new TypeError('x is undefined'))).toThrow(TypeError);
});
