import {expect, test} from 'vitest';
import type {Env} from '#terminal/env.ts';
import {type OpenParts, openUrl} from '#terminal/open-url.ts';
import {ssh, xterm} from './environments.ts';

interface Place extends Partial<OpenParts> {
  readonly env?: Env;
  readonly working?: readonly string[];
}

async function opened(url: string, {working = [], ...place}: Place = {}) {
  const ran: string[][] = [];
  const copies: string[] = [];
  const outcome = await openUrl(url, {
    environment: xterm,
    env: {},
    platform: 'linux',
    launch: async (command, args) => {
      ran.push([command, ...args]);
      return {kind: 'ended', code: working.includes(command) ? 0 : 3, output: ''};
    },
    copy: async (text) => {
      copies.push(text);
      return {kind: 'sent'};
    },
    ...place,
  });
  return {outcome, ran, copies};
}

const url = 'https://example.com/a?b=c';

test.each([
  ['linux', {DISPLAY: ':0'}, 'xdg-open'],
  ['linux', {WAYLAND_DISPLAY: 'w'}, 'xdg-open'],
  ['darwin', {}, 'open'],
  ['linux', {WSL_DISTRO_NAME: 'Debian'}, 'wslview'],
])('open URL: on %s with %o it is opened by %s', async (platform, env, by) => {
  const {outcome, ran} = await opened(url, {platform, env, working: [by]});
  expect([outcome, ran]).toEqual([{kind: 'opened', by}, [[by, url]]]);
});

test('open URL: $BROWSER comes first: several commands, options, and %s for the address', async () => {
  const env = {BROWSER: 'nope:firefox --new-tab %s --quiet', DISPLAY: ':0'};
  const {outcome, ran} = await opened(url, {env, working: ['firefox', 'xdg-open']});
  expect(outcome).toEqual({kind: 'opened', by: 'firefox'});
  expect(ran).toEqual([
    ['nope', url],
    ['firefox', '--new-tab', url, '--quiet'],
  ]);
});

test('open URL: a browser that draws in the terminal is returned to the caller', async () => {
  const {outcome, ran} = await opened(url, {env: {BROWSER: '/usr/bin/w3m'}});
  expect([outcome, ran]).toEqual([{kind: 'needs_terminal', command: '/usr/bin/w3m', args: [url]}, []]);
});

test.each([
  ['over ssh', {environment: ssh, env: {DISPLAY: ':0'}}],
  ['without a display', {env: {}}],
  ['when nothing works', {env: {DISPLAY: ':0'}}],
])('open URL: %s the address is copied', async (_where, place) => {
  const {outcome, copies} = await opened(url, place);
  expect([outcome, copies]).toEqual([{kind: 'copied', copy: {kind: 'sent'}}, [url]]);
});

test('open URL: over ssh $BROWSER is used', async () => {
  const {outcome} = await opened(url, {environment: ssh, env: {BROWSER: 'tunnel'}, working: ['tunnel']});
  expect(outcome).toEqual({kind: 'opened', by: 'tunnel'});
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', '-h', 'data:text/html,x'])(
  'open URL: %s is not opened',
  async (address) => {
    const {outcome, ran, copies} = await opened(address, {env: {DISPLAY: ':0'}, working: ['xdg-open']});
    expect([outcome.kind, ran, copies]).toEqual(['refused', [], []]);
  },
);

test('open URL: the content of an address cannot change the command', async () => {
  const {ran} = await opened('https://example.com/$(reboot) %s; ls', {
    env: {BROWSER: 'b %s'},
    working: ['b'],
  });
  expect(ran).toEqual([['b', 'https://example.com/$(reboot)%20%s;%20ls']]);
});
