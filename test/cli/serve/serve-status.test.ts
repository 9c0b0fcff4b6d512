import {expect, test} from 'vitest';
import {parseServeOptions} from '#cli/serve/serve-options.ts';
import {demoDirectory, operate, servedDirectory} from './operator-fixture.ts';

test('serve status: a running server has its numbers; its JSON has the same', async () => {
  const {server, directory} = await servedDirectory({version: '9.8.7'});
  const meg = server.people.member();
  await server.as(meg).listen();
  const {code, out} = await operate('serve status', ['--data', directory, '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    running: true,
    version: '9.8.7',
    url: server.url,
    people_connected: 1,
    event_queues: 1,
    free_bytes: expect.any(Number),
    warnings: [],
  });
  const {out: text} = await operate('serve status', ['--data', directory]);
  expect(text).toMatch(/^Parley 9\.8\.7 serves .* at http:\/\/127\.0\.0\.1:\d+\n/);
  expect(text).toContain('1 person, 1 event queue with 0 waiting events');
});

test('serve status: without a server the sizes are read from the data, and the exit code is 1', async () => {
  const directory = await demoDirectory();
  const {code, out} = await operate('serve status', ['--data', directory]);
  expect([code, out]).toEqual([1, expect.stringMatching(/ is not served now\.\ndata +[\d.]+ MB database/)]);
  const {out: json} = await operate('serve status', ['--data', directory, '--json']);
  expect(JSON.parse(json)).toMatchObject({running: false, version: null, started_at: null});
});

test('serve options: --metrics listens on the loopback address unless another is given', () => {
  const metrics = (value: string) => {
    const options = parseServeOptions(['--memory', '--world', 'demo', '--metrics', value], {});
    return options === 'help' ? undefined : options.metrics;
  };
  expect(metrics('9464')).toEqual({host: '127.0.0.1', port: 9464});
  expect(metrics('[::1]:9464')).toEqual({host: '::1', port: 9464});
  expect(metrics('10.0.0.1:9464')).toEqual({host: '10.0.0.1', port: 9464});
  expect(() => metrics('here')).toThrow(/^--metrics must be a port, or an address/);
  expect(() => metrics('70000')).toThrow(/^--metrics must be a port, or an address/);
});
