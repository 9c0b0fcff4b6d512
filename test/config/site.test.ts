import fc from 'fast-check';
import {expect, test} from 'vitest';
import {normaliseSite} from '#config/site.ts';

test.each([
  ['chat.example.com', 'https://chat.example.com'],
  ['  Chat.Example.com/ ', 'https://chat.example.com'],
  ['http://chat.example.com', 'http://chat.example.com'],
  ['https://chat.example.com:8443/', 'https://chat.example.com:8443'],
  ['chat.example.com:443', 'https://chat.example.com'],
  ['https://chat.example.com/api', 'https://chat.example.com'],
  ['https://chat.example.com/api/v1/', 'https://chat.example.com'],
  ['https://chat.example.com/login/?next=%2F', 'https://chat.example.com'],
  ['https://chat.example.com/accounts/login', 'https://chat.example.com'],
  ['https://chat.example.com/#narrow/channel/5-general/topic/x/with/7', 'https://chat.example.com'],
  ['https://chat.example.com/team/#narrow/dm/5', 'https://chat.example.com/team'],
  ['chat.example.com/team/', 'https://chat.example.com/team'],
  ['localhost:9991', 'http://localhost:9991'],
  ['localhost:443', 'http://localhost:443'],
  ['LOCALHOST', 'http://localhost'],
  ['zulip.localhost:9991', 'http://zulip.localhost:9991'],
  ['127.0.0.1:9991', 'http://127.0.0.1:9991'],
  ['127.1.2.3', 'http://127.1.2.3'],
  ['[::1]:9991', 'http://[::1]:9991'],
  ['https://localhost:9991', 'https://localhost:9991'],
  ['localhost.example.com', 'https://localhost.example.com'],
  ['bücher.example', 'https://xn--bcher-kva.example'],
])('site: %j is normalised to %s', (text, site) => {
  expect(normaliseSite(text)).toBe(site);
});

test.each([
  '',
  '   ',
  'https://',
  'ftp://chat.example.com',
  'file:///etc/passwd',
  'two words',
  'a\nb',
  'http://[::1',
  '\\\\x',
])('site: %j is refused with one sentence', (text) => {
  expect(() => normaliseSite(text)).toThrow('is not the address of a server, such as chat.example.com.');
});

test('site: an address with credentials is refused without showing them', () => {
  expect(() => normaliseSite('https://meg:hunter2@chat.example.com')).toThrow(
    /Leave out the name and password before the “@”/,
  );
  expect(() => normaliseSite('https://meg:hunter 2@chat.example.com')).toThrow(/^“…@chat.example.com” is not/);
});

test('site: normalising is idempotent', () => {
  fc.assert(
    fc.property(fc.webUrl({withFragments: true, withQueryParameters: true}), (url) => {
      const site = normaliseSite(url);
      expect(normaliseSite(site)).toBe(site);
      expect(site).not.toMatch(/\/$|#|\?/);
    }),
  );
});
