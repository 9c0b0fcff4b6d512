import {expect, test} from 'vitest';
import {parseServeOptions} from '#cli/serve/serve-options.ts';

const env = {XDG_DATA_HOME: '/data'};

test('serve options: by default the demo is stored under the data home, on a free loopback port', () => {
  expect(parseServeOptions([], env)).toMatchObject({
    host: '127.0.0.1',
    port: undefined,
    directory: '/data/parley/demo-small',
    creates: 'yes',
    world: undefined,
    size: 'small',
    level: 509,
    rateLimited: true,
    trustsProxy: false,
    reactivates: false,
    testHooks: false,
  });
});

test('serve options: with --memory nothing is stored; the rate is limited unless it is turned off', () => {
  expect(parseServeOptions(['--memory'], env)).toMatchObject({directory: undefined, rateLimited: true});
  expect(parseServeOptions(['--rate-limit', 'off'], env)).toMatchObject({rateLimited: false});
  expect(parseServeOptions(['--trust-proxy'], env)).toMatchObject({trustsProxy: true});
});

test('serve options: worlds of different kinds and sizes have different directories', () => {
  expect(parseServeOptions(['--world', 'empty'], env)).toMatchObject({directory: '/data/parley/empty'});
  expect(parseServeOptions(['--size', 'huge'], env)).toMatchObject({directory: '/data/parley/demo-huge'});
});

test('serve options: other machines are served with TLS, or with plain HTTP on request', () => {
  const url = ['--url', 'https://chat.example.com'];
  const tls = ['--tls-cert', '/a.pem', '--tls-key', '/a.key'];
  expect(parseServeOptions(['--host', '0.0.0.0', ...url, ...tls], env)).toMatchObject({
    publicUrl: 'https://chat.example.com',
    certificate: {cert: '/a.pem', key: '/a.key'},
  });
  expect(parseServeOptions(['--host', '0.0.0.0', ...url, '--insecure'], env)).toMatchObject({certificate: undefined});
  expect(parseServeOptions(['--host', 'localhost'], env)).toMatchObject({certificate: undefined});
});

test('serve options: --metrics names a port, or also a host', () => {
  const metrics = (value: string) => parseServeOptions(['--metrics', value], env);
  expect(metrics('9464')).toMatchObject({metrics: {host: '127.0.0.1', port: 9464}});
  expect(metrics('192.0.2.1:9464')).toMatchObject({metrics: {host: '192.0.2.1', port: 9464}});
  expect(metrics('[::1]:9464')).toMatchObject({metrics: {host: '::1', port: 9464}});
});

test('serve options: SSH listens where HTTP does unless --ssh-host says where; --smtp counts before PARLEY_SMTP', () => {
  const ssh = ['--ssh', '2222'];
  expect(parseServeOptions(['--host', 'localhost', ...ssh], env)).toMatchObject({ssh: {host: 'localhost', port: 2222}});
  expect(parseServeOptions([...ssh, '--ssh-host', '192.0.2.1'], env)).toMatchObject({ssh: {host: '192.0.2.1'}});
  const from = ['--mail-from', 'chat@example.com'];
  const mailEnv = {...env, PARLEY_SMTP: 'smtp://own.example.com'};
  expect(parseServeOptions(from, mailEnv)).toMatchObject({mail: {smtpUrl: 'smtp://own.example.com'}});
  const flag = ['--smtp', 'smtp://flag.example.com', ...from];
  expect(parseServeOptions(flag, mailEnv)).toMatchObject({mail: {smtpUrl: 'smtp://flag.example.com'}});
  expect(parseServeOptions([], {...env, PARLEY_SMTP: ''})).toMatchObject({mail: undefined});
});

test.each([
  [['--port', 'http'], '--port must be a whole number from 0 to 65535, not “http”.'],
  [['--port', '70000'], '--port must be a whole number'],
  [['--feature-level', '121'], '--feature-level must be a whole number from 122 to 509'],
  [['--feature-level', '510'], '--feature-level must be a whole number from 122 to 509'],
  [['--world', 'moon'], '--world must be one of demo, empty, not “moon”.'],
  [['--size', 'vast'], '--size must be one of small, large, huge'],
  [['--world', 'empty', '--size', 'huge'], '--size can only be used with --world demo.'],
  [['--memory', '--data', 'here'], 'not both'],
  [['--test-hooks', '--host', '0.0.0.0'], '--test-hooks requires a loopback --host'],
  [['--host', '192.0.2.1'], 'On 192.0.2.1, other machines would send passwords and messages as plain text.'],
  [['--host', '0.0.0.0', '--insecure'], '0.0.0.0 is every address of this machine: name the one that users open'],
  [['--host', '::', '--insecure'], ':: is every address of this machine: name the one that users open'],
  [['--metrics', '65536'], '--metrics must be a port, or an address such as 127.0.0.1:9464, not “65536”.'],
  [['--metrics', 'here'], '--metrics must be a port'],
  [['--ssh-host', '127.0.0.1'], '--ssh-host needs --ssh PORT.'],
  [['--ssh', '2222', '--memory'], '--ssh keeps what people have in the data directory'],
  [['--tls-cert', 'a.pem'], '--tls-cert and --tls-key are used together.'],
  [['--smtp', 'mail.example.com', '--mail-from', 'a@example.com'], '--smtp must be an address such as smtps://'],
  [['--smtp', 'smtp://', '--mail-from', 'a@example.com'], '--smtp must be an address such as smtps://'],
  [['--smtp', 'smtp://:25', '--mail-from', 'a@example.com'], '--smtp must be an address such as smtps://'],
  [['--smtp', 'smtp://h?ignoreTLS=true', '--mail-from', 'a@example.com'], '--smtp must be an address such as smtps://'],
  [['--smtp-insecure'], '--smtp-insecure needs --smtp URL'],
  [['--smtp', 'smtp://mail.example.com'], '--smtp needs --mail-from ADDRESS'],
  [['--mail-from', 'a@example.com'], '--mail-from needs --smtp URL'],
  [['--rate-limit', 'some'], '--rate-limit must be one of on, off'],
  [['--url', 'chat.example.com'], '--url must be an address'],
  [['--url', 'ftp://chat.example.com'], '--url must be an address'],
  [['--bots', 'some'], '--bots must be one of'],
  [['--wibble'], '“parley serve --help” lists the options.'],
  [['stray'], '“parley serve --help” lists the options.'],
])('serve options: %j is refused with one sentence', (argv, sentence) => {
  expect(() => parseServeOptions(argv, env)).toThrow(sentence);
});
