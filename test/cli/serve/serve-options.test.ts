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
  [['--rate-limit', 'some'], '--rate-limit must be one of on, off'],
  [['--url', 'chat.example.com'], '--url must be an address'],
  [['--url', 'ftp://chat.example.com'], '--url must be an address'],
  [['--bots', 'some'], '--bots must be one of'],
  [['--wibble'], '“parley serve --help” lists the options.'],
  [['stray'], '“parley serve --help” lists the options.'],
])('serve options: %j is refused with one sentence', (argv, sentence) => {
  expect(() => parseServeOptions(argv, env)).toThrow(sentence);
});
