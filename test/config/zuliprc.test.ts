import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import fc from 'fast-check';
import {expect, test} from 'vitest';
import {formatZuliprc, parseZuliprc, replaceKey} from '#config/zuliprc.ts';
import {anyText} from '#test/support/any-text.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';

const key = 'abcdefghijklmnopqrstuvwxyz012345';
const parse = (text: string) => parseZuliprc(text, '/home/meg/zuliprc', '/home/meg');
const minimal = `[api]\nemail=meg@example.com\nkey=${key}\nsite=https://chat.example.com\n`;

test('zuliprc: the file that servers offer for download is parsed', () => {
  const {site, email, key: secret, keyCommand, tls} = parse(minimal);
  expect({site, email, key: secret?.reveal(), keyCommand, tls}).toEqual({
    site: 'https://chat.example.com',
    email: 'meg@example.com',
    key,
    keyCommand: undefined,
    tls: {insecure: false},
  });
});

test.each([
  ['colons', `[api]\nemail: meg@example.com\nkey : ${key}\nsite:https://chat.example.com`],
  ['CRLF and a byte order mark', `\uFEFF${minimal.replaceAll('\n', '\r\n')}`],
  ['spaces and names in capitals', `  [api]  \nEmail =  meg@example.com  \nKEY=${key}\t\n\nsite = chat.example.com/`],
  ['comments', `# one\n; two\n[api]\n  # three\nemail=meg@example.com\nkey=${key}\n#key=old\nsite=chat.example.com`],
  ['indentation of all of it', `  [api]\n    email=meg@example.com\n    key=${key}\n  site=chat.example.com`],
  ['quotes', `[api]\nemail="meg@example.com"\nkey='${key}'\nsite="chat.example.com"`],
  ['other sections around it', `[zterm]\ntheme=zt_dark\nnonsense\n${minimal}[zterm]\nkey=other\n  notify`],
  ['the section in two parts', `[api]\nemail=meg@example.com\n[zterm]\nx=1\n[api]\nkey=${key}\nsite=chat.example.com`],
  ['a name given twice, of which the last counts', `[api]\nemail=old@example.com\nkey=old\n${minimal}`],
])('zuliprc: %s make no difference', (_, text) => {
  const {site, email, key: secret} = parse(text);
  expect([site, email, secret?.reveal()]).toEqual(['https://chat.example.com', 'meg@example.com', key]);
});

test('zuliprc: certificate paths are relative to the file, to home, or absolute', () => {
  const files = `insecure = Yes\ncert_bundle=ca.pem\nclient_cert=~/me.pem\nclient_cert_key=/etc/me.key\n`;
  expect(parse(minimal + files).tls).toEqual({
    insecure: true,
    certBundle: '/home/meg/ca.pem',
    clientCert: '/home/meg/me.pem',
    clientCertKey: '/etc/me.key',
  });
});

test('zuliprc: a key_command can replace the key, quoted or not', () => {
  const withCommand = (command: string) =>
    parse(`[api]\nemail=meg@example.com\nsite=chat.example.com\nkey_command=${command}\n`).keyCommand;
  expect(withCommand('pass show zulip | head -n1')).toBe('pass show zulip | head -n1');
  expect(withCommand('"pass show zulip"')).toBe('pass show zulip');
  expect(withCommand(`"/opt/my tools/key" "a=b"`)).toBe(`"/opt/my tools/key" "a=b"`);
});

test.each([
  ['', 'has no [api] section'],
  ['[zterm]\ntheme=x', 'has no [api] section'],
  ['email=meg@example.com', 'Line 1 of /home/meg/zuliprc comes before the first [section].'],
  ['[api]\nemail=meg@example.com\nsite=x.example', 'has no “key” in its [api] section.'],
  ['[api]\nemail=meg@example.com\nkey=\nsite=x.example', 'has no “key” in its [api] section.'],
  ['[api]\nkey=a\nsite=x.example', 'has no “email” in its [api] section.'],
  ['[api]\nkey=a\nemail=meg@example.com', 'has no “site” in its [api] section.'],
  ['[api]\nkey=a\nemail=meg:x\nsite=x.example', 'The email in /home/meg/zuliprc, line 3, is not an e-mail address.'],
  ['[api]\nkey=a\nemail=m@x\nsite=ftp://x', 'The site in /home/meg/zuliprc, line 4: “ftp://x” is not the address'],
  [`${minimal}insecure=perhaps`, 'insecure in /home/meg/zuliprc, line 5, is neither true nor false.'],
  [`${minimal}client_cert_key=k`, 'has a client_cert_key but no client_cert.'],
])('zuliprc: %j is refused with one sentence', (text, sentence) => {
  expect(() => parse(text)).toThrow(sentence);
});

test.each([
  [`[api]\nkey ${key}\n`, 'Line 2 of /home/meg/zuliprc is neither “name = value” nor a comment.'],
  [`[api]\nkey=${key}\n   ${key}\n`, 'key in /home/meg/zuliprc, line 2, must be on one line.'],
  [
    `[api]\nkey=${key}é\nemail=m@x\nsite=x.example`,
    'The key in /home/meg/zuliprc, line 2, contains characters that are not valid in an API key.',
  ],
])('zuliprc: a misplaced key is not shown (%#)', (text, sentence) => {
  let message = '';
  try {
    parse(text);
  } catch (error) {
    message = inspect(error);
  }
  expect(message).toContain(sentence);
  expect(message).not.toContain(key);
});

test('zuliprc: printing it never shows the key', () => {
  const account = parse(minimal);
  const printed = [inspect(account, {depth: 9, showHidden: true}), JSON.stringify(account), `${account.key}`];
  expect(printed.join()).not.toContain(key);
});

test('zuliprc: a formatted file is parsed back to the same values', () => {
  const text = `${minimal}insecure=true\ncert_bundle=/ca.pem\nclient_cert=/c\nclient_cert_key=/k\nkey_command=x y\n`;
  const once = parse(text);
  const again = parse(formatZuliprc(once));
  expect({...again, key: again.key?.reveal()}).toEqual({...once, key});
});

test.each(['key=', 'key = ', 'Key: ', '  key :'])(
  'zuliprc: a key after “%s” is replaced, and nothing else',
  (written) => {
    const file = join(scratchDirectory(), 'zuliprc');
    const withKey = (value: string) =>
      `# key=1\n[other]\nkey=2\n[api]\n${written}${value}\nkey_command=x\nemail: meg@example.com\n`;
    writeFileSync(file, withKey('old'));
    replaceKey(file, '$&new');
    expect(readFileSync(file, 'utf8')).toBe(withKey('$&new'));
  },
);

test('zuliprc: any text either parses or throws a ConfigError', () => {
  const line = fc.oneof(
    anyText(),
    fc.constantFrom('[api]', 'key=x', 'email=m@x.example', 'site=x.example', 'insecure=1', '  more', '=', ':', '['),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      try {
        expect(parse(lines.join('\n')).site).toMatch(/^https?:\/\//);
      } catch (error) {
        expect(error).toMatchObject({name: 'ConfigError'});
      }
    }),
  );
});
