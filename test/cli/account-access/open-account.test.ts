import {chmodSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {
  LoginFailure,
  MalformedFailure,
  PermanentFailure,
  RegisterFailure,
  RetryFailure,
} from '#api/failure.ts';
import {connect} from '#cli/account-access/connect.ts';
import {openAccount} from '#cli/account-access/open-account.ts';
import {Cancelled, PlainFailure, reportFailure} from '#cli/failures.ts';
import {UsageError} from '#cli/usage-error.ts';
import {ConfigError} from '#config/config-error.ts';
import {NamedAccounts} from '#config/named-accounts.ts';
import {pathsOf} from '#config/paths.ts';
import {parseZuliprc} from '#config/zuliprc.ts';
import {testIo} from '#test/support/cli-io.ts';
import {testServer} from '#test/support/server.ts';
import {endpoints} from '#wire/endpoints.ts';

const text = '[api]\nemail=meg@example.com\nkey=abc\nsite=chat.example.com\n';

test('an account that was repaired on the way says so on standard error', async () => {
  const io = testIo();
  const file = join(io.home, 'zuliprc');
  writeFileSync(file, text);
  chmodSync(file, 0o644);
  const {account, release} = await openAccount({}, io);
  expect([account.email, io.out(), io.err()]).toEqual([
    'meg@example.com',
    '',
    `Others could read ${file}, which holds your key; now only you can.\n`,
  ]);
  await release();
});

test('an account that is really called “demo” is that account', async () => {
  const io = testIo();
  new NamedAccounts(pathsOf({}, io.home)).add('demo', parseZuliprc(text, 'x', io.home));
  expect((await openAccount({account: 'demo'}, io)).account.site).toBe('https://chat.example.com');
});

test('a named account that is not there is a sentence, not the demo', async () => {
  await expect(openAccount({account: 'work'}, testIo())).rejects.toThrow('There is no account “work”.');
});

test('a connection has the account’s credentials, and proxies are not for this machine', async () => {
  const server = await testServer();
  const meg = server.people.member();
  const env = {http_proxy: 'http://127.0.0.1:1', HTTPS_PROXY: 'http://127.0.0.1:1'};
  const account = {site: server.url, email: meg.email, key: async () => meg.apiKey, tls: {insecure: false}};
  const connection = await connect(account, testIo({env}));
  expect(await connection.call(endpoints.getOwnUser, {})).toMatchObject({user_id: meg.id});
  await connection.close();
});

test('a proxy from the environment is used for servers elsewhere', async () => {
  const account = {site: 'http://chat.example.com', email: 'm', key: async () => 'k', tls: {insecure: false}};
  const connection = await connect(account, testIo({env: {http_proxy: 'http://127.0.0.1:1'}}));
  const failure = await connection.call(endpoints.getOwnUser, {}).catch((error: unknown) => error);
  expect(failure).toMatchObject({kind: 'retry', reason: 'network'});
  expect(String(failure)).not.toContain('no such host');
  await connection.close();
});

test('certificates are read from the files that the account names', async () => {
  const io = testIo();
  const tls = {insecure: false, certBundle: join(io.home, 'gone.pem')};
  const account = {site: 'https://chat.example.com', email: 'm', key: async () => 'k', tls};
  await expect(connect(account, io)).rejects.toThrow(`There is no file ${io.home}/gone.pem.`);
});

const facts = {endpoint: 'x', carriedOut: 'no'} as const;

test.each([
  [new UsageError('words'), 2],
  [new ConfigError('words'), 3],
  [new PlainFailure('words'), 1],
  [new PlainFailure('words', 5), 5],
  [new Cancelled('words'), 1],
  [new LoginFailure('words', {...facts, code: 'UNAUTHORIZED'}), 3],
  [new RetryFailure('words', {...facts, reason: 'network'}), 4],
  [new RetryFailure('words', {...facts, reason: 'rateLimit'}), 4],
  [new PermanentFailure('words', {...facts, code: 'CANNOT_CONNECT'}), 4],
  [new PermanentFailure('words', {...facts, code: 'BAD_REQUEST', status: 400}), 1],
  [new PermanentFailure('words', {...facts, code: 'BAD_REQUEST', status: 403}), 5],
  [new PermanentFailure('words', {...facts, code: 'PERMISSION_DENIED', status: 400}), 5],
  [new PermanentFailure('words', {...facts, code: 'SERVER_TOO_OLD'}), 1],
  [new RegisterFailure('words', facts), 1],
  [new MalformedFailure('words', facts), 1],
])('%s (%#) is said in one line and has an exit code', (error, code) => {
  const io = testIo();
  expect([reportFailure(io, error), io.out(), io.err()]).toEqual([code, '', 'words\n']);
});

test('a defect of the program is no sentence', () => {
  expect(() => reportFailure(testIo(), new TypeError('x is undefined'))).toThrow(TypeError);
});
