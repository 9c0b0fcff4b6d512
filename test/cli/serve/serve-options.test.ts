import {expect, test} from 'vitest';
import {parseServeOptions} from '#cli/serve/serve-options.ts';

const env = {XDG_DATA_HOME: '/data'};

test('without options the demo is kept under the data home, on a free loopback port', () => {
  expect(parseServeOptions([], env)).toMatchObject({
    host: '127.0.0.1',
    port: 0,
    directory: '/data/parley/demo-small',
    world: 'demo',
    size: 'small',
    level: 509,
    rateLimited: true,
    testHooks: false,
  });
});

test('in memory nothing is kept and nobody is limited unless asked', () => {
  expect(parseServeOptions(['--memory'], env)).toMatchObject({directory: undefined, rateLimited: false});
  expect(parseServeOptions(['--memory', '--rate-limit', 'on'], env)).toMatchObject({rateLimited: true});
});

test('worlds of different kinds and sizes live apart', () => {
  expect(parseServeOptions(['--world', 'empty'], env)).toMatchObject({directory: '/data/parley/empty'});
  expect(parseServeOptions(['--size', 'huge'], env)).toMatchObject({directory: '/data/parley/demo-huge'});
});

test.each([
  [['--port', 'http'], '--port is a whole number from 0 to 65535; “http” is not.'],
  [['--port', '70000'], '--port is a whole number'],
  [['--feature-level', '121'], '--feature-level is a whole number from 122 to 509'],
  [['--feature-level', '510'], '--feature-level is a whole number from 122 to 509'],
  [['--world', 'moon'], '--world is one of demo, empty; “moon” is not.'],
  [['--size', 'vast'], '--size is one of small, large, huge'],
  [['--world', 'empty', '--size', 'huge'], '--size goes with --world demo.'],
  [['--memory', '--data', 'here'], 'give one of them'],
  [['--test-hooks', '--host', '0.0.0.0'], '--test-hooks needs a loopback --host'],
  [['--rate-limit', 'some'], '--rate-limit is one of on, off'],
  [['--url', 'chat.example.com'], '--url is an address'],
  [['--url', 'ftp://chat.example.com'], '--url is an address'],
  [['--bots', 'some'], '--bots is one of'],
  [['--wibble'], '“parley serve --help” lists the options.'],
  [['stray'], '“parley serve --help” lists the options.'],
])('%j is refused with a sentence', (argv, sentence) => {
  expect(() => parseServeOptions(argv, env)).toThrow(sentence);
});
