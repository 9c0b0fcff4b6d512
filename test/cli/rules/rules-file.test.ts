import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {rulesFile} from '#cli/rules/rules-file.ts';
import type {Message} from '#state/model/message.ts';
import {decideByRules, resolveRules} from '#state/rules/match-rules.ts';
import {systemClock} from '#std/clock.ts';
import {SortedMap, SortedSet} from '#std/sorted-map.ts';
import {scratchDirectory} from '#test/support/scratch-directory.ts';
import * as eg from '#test/support/state-builders.ts';
import {slowTest} from '#test/support/tier.ts';

function fileFixture() {
  const home = scratchDirectory();
  const paths = {config: join(home, 'config'), state: join(home, 'state')};
  mkdirSync(paths.config, {recursive: true});
  const path = join(paths.config, 'rules.toml');
  return {home, path, file: rulesFile({paths, home, clock: systemClock})};
}

async function loaded(toml: string) {
  const {path, file} = fileFixture();
  writeFileSync(path, toml);
  return file.read();
}

const state = eg.state({
  users: eg.users(
    eg.user({fullName: 'Meg'}),
    eg.user({id: 11, fullName: 'Otto'}),
    eg.user({id: 12, fullName: 'Build bot', isBot: true}),
  ),
  channels: SortedMap.from([
    [1, eg.channel({id: 1, name: 'general'})],
    [2, eg.channel({id: 2, name: 'ci'})],
  ]),
  groups: SortedMap.from([[5, eg.group({id: 5, name: 'backend', members: SortedSet.from([11])})]]),
});

/** Returns what rules do about a message, as `rule: action`. */
async function decided(toml: string, message: Message): Promise<readonly string[]> {
  const {rules, problems} = await loaded(toml);
  expect(problems).toEqual([]);
  const {resolved, problems: unresolved} = resolveRules(rules, state, {name: 'work', known: ['work', 'home']});
  expect(unresolved).toEqual([]);
  const steps = decideByRules(resolved, [message], state);
  for (;;) {
    const {done, value} = steps.next();
    if (done === true) return (value.get(message.id) ?? []).map(({rule, action}) => `${rule.name}: ${action}`);
  }
}

/** Returns whether a rule with this condition matches. */
async function matches(condition: string, message: Message): Promise<boolean> {
  return (await decided(`[[rule]]\nname = "r"\n${condition}\nstar = true\n`, message)).length > 0;
}

const build = eg.message({id: 7, channelId: 2, topic: '✔ Nightly', senderId: 12, content: 'FAILED: deploy 12'});

test.each([
  ['channel = "CI"', true],
  ['channel = ["general", "ci"]', true],
  ['channel = "general"', false],
  ['topic = "nightly"', true],
  ['topic = "weekly"', false],
  ['topic_regex = "(?i)^✔ night"', true],
  ['sender = "Build bot"', true],
  ['sender = ["Otto", "Meg"]', false],
  ['group = "backend"', false],
  ['bot = true', true],
  ['bot = false', false],
  ['direct = true', false],
  ['direct = false', true],
  ['mention = false', true],
  ['mention = true', false],
  ["regex = 'FAILED.*\\d+'", true],
  ["regex = '^deploy'", false],
  ['channel = "ci"\nsender = "Otto"', false],
  ['account = "Work"\nbot = true', true],
  ['account = "home"\nbot = true', false],
])('rules: the condition %s matches a build message: %s', async (condition, expected) => {
  expect(await matches(condition, build)).toBe(expected);
});

test('rules: mentions, groups and direct messages match', async () => {
  expect(await matches('mention = true', eg.message({flags: ['mentioned']}))).toBe(true);
  expect(await matches('mention = true', eg.message({flags: ['topic_wildcard_mentioned']}))).toBe(true);
  expect(await matches('group = "backend"', eg.message({senderId: 11}))).toBe(true);
  expect(await matches('direct = true', eg.direct())).toBe(true);
  expect(await matches('channel = "general"', eg.direct())).toBe(false);
});

test('rules: a time of day is that of the message, and may reach over midnight', async () => {
  const at = (hour: number, minute = 0) => eg.message({timestamp: new Date(2026, 4, 3, hour, minute).getTime() / 1000});
  expect(await matches('time = "9:00-17:00"', at(9))).toBe(true);
  expect(await matches('time = "9:00-17:00"', at(17))).toBe(false);
  expect(await matches('time = "22:00-06:30"', at(6, 29))).toBe(true);
  expect(await matches('time = "22:00-06:30"', at(23))).toBe(true);
  expect(await matches('time = "22:00-06:30"', at(6, 30))).toBe(false);
  expect(await matches('time = ["00:00-01:00", "23:00-24:00"]', at(23, 59))).toBe(true);
});

test('rules: the own messages match only a rule that names oneself as the sender', async () => {
  const own = eg.message({senderId: eg.selfId});
  expect(await matches('channel = "general"', own)).toBe(false);
  expect(await matches('sender = "me"', own)).toBe(true);
});

test('rules: all matching rules act; where they differ, the first decides', async () => {
  const toml = `
[[rule]]
name = "one"
channel = "ci"
mute_topic = true
notify = false
[[rule]]
name = "two"
bot = true
follow_topic = true
notify = true
mark_read = true
[[rule]]
name = "three"
bot = true
mark_read = true
snooze = "2 hours"
`;
  expect(await decided(toml, build)).toEqual(['one: muteTopic', 'one: silence', 'two: markRead', 'three: snooze']);
});

test('rules: only the beginning of a long message is searched', async () => {
  expect(await matches("regex = 'end'", eg.message({content: `${'x'.repeat(5000)}end`}))).toBe(false);
});

test('rules: each problem has its line and column, and the other rules are used', async () => {
  const {rules, problems} = await loaded(`[[rule]]
channel = "ci"
star = true
[[rule]]
name = "a"
star = true
[[rule]]
name = "b"
channel = "ci"
[[rule]]
name = "c"
channel = "ci"
mute_topic = true
follow_topic = true
[[rule]]
name = "d"
time = "25:00-3:00"
star = true
[[rule]]
name = "e"
channel = "ci"
snooze = "soonish"
[[rule]]
name = "f"
regex = "(["
star = true
[[rule]]
name = "good"
channel = "ci"
star = true
[[rule]]
name = "good"
channel = "ci"
star = true
[[rule]]
name = "g"
chanel = "ci"
[[rule]]
name = "delete"
channel = "ci"
delete = true
`);
  expect(rules.map(({name}) => name)).toEqual(['good']);
  const at = (line: number, text: string) =>
    expect.stringMatching(new RegExp(`rules\\.toml, line ${line}, column 1: ${text}`));
  expect(problems).toEqual([
    at(1, 'a rule needs a name'),
    at(4, 'a rule needs a condition'),
    at(7, 'a rule needs something to do'),
    at(14, 'a rule cannot both mute and follow'),
    at(17, '“time” must be like'),
    at(22, '“snooze” must be a time to come'),
    at(25, 'the regular expression is not valid: missing closing \\]'),
    at(32, 'another rule is called “good”'),
    at(37, 'a rule has no “chanel”'),
    at(41, 'a rule has no “delete”'),
  ]);
});

test('rules: a name that the organization does not have is named with its line, and other rules are used', async () => {
  const {rules, problemText} = await loaded(`
[[rule]]
name = "a"
channel = "generl"
star = true
[[rule]]
name = "b"
sender = "Nobody"
star = true
[[rule]]
name = "c"
star = true
group = ["backend", "frontend"]
[[rule]]
name = "d"
account = "wrk"
bot = true
star = true
[[rule]]
name = "good"
channel = "ci"
star = true
`);
  const {resolved, problems} = resolveRules(rules, state, {name: 'work', known: ['work', 'home']});
  expect(resolved.map(({name}) => name)).toEqual(['good']);
  expect(problems.map(problemText)).toEqual([
    '~/config/rules.toml, line 4, column 1: There is no channel called “generl”. Did you mean “general”?',
    '~/config/rules.toml, line 8, column 1: No user is called “Nobody”.',
    '~/config/rules.toml, line 13, column 1: There is no group called “frontend”.',
    '~/config/rules.toml, line 16, column 1: there is no account called “wrk”.',
  ]);
});

test('rules: control characters of the file reach no terminal', async () => {
  const {rules, problems} = await loaded(
    '[[rule]]\nname = "\\u001b[31mred"\nbot = true\nstar = true\n[[rule]]\n"\\u001b[2J" = 1\n',
  );
  expect(rules.map(({name}) => name).join()).not.toContain('\u001b');
  expect(problems.join()).toContain('a rule has no');
  expect(problems.join()).not.toContain('\u001b');
});

test.each([
  ['(a|b|c){300}.*(d|e|f){300}', 'repeats too much'],
  ['(a{1000}){1000}', 'not valid: invalid repeat count'],
  ['a'.repeat(1001), 'more than 1000 characters'],
  ['(?=a)', 'not valid'],
  ['('.repeat(900), 'not valid'],
])('rules: the regular expression %.30s is refused', async (pattern, reason) => {
  const {problems} = await loaded(`[[rule]]\nname = "a"\nregex = '${pattern}'\nstar = true\n`);
  expect(problems).toEqual([expect.stringContaining(reason)]);
});

test('rules: a regular expression that takes others exponential time is quick', async () => {
  expect(await matches("regex = '(x+x+)+y'", eg.message({content: 'x'.repeat(4000)}))).toBe(false);
});

slowTest('rules: ten thousand rules are read, and one message is matched against all', async () => {
  const toml = Array.from({length: 10_000}, (_, n) => `[[rule]]\nname = "${n}"\nregex = 'w${n}$'\nstar = true\n`).join(
    '',
  );
  expect(await decided(toml, eg.message({content: 'w77'}))).toEqual(['77: star']);
});

test('rules: a file that is too large, a folder, a pipe, a device or a loop of links is named, and has no rules', async () => {
  const problemOf = async (make: (path: string) => void) => {
    const {path, file} = fileFixture();
    make(path);
    const {rules, problems} = await file.read();
    expect(rules).toEqual([]);
    expect(file.changeMark()).toBeDefined();
    return problems[0];
  };
  expect(await problemOf((path) => writeFileSync(path, '#'.repeat(1024 * 1024 + 1)))).toMatch(/is too large/);
  expect(await problemOf((path) => mkdirSync(path))).toMatch(/is not a file/);
  expect(await problemOf((path) => execFileSync('mkfifo', [path]))).toMatch(/is not a file/);
  expect(await problemOf((path) => symlinkSync('/dev/zero', path))).toMatch(/is not a file/);
  expect(await problemOf((path) => symlinkSync(path, path))).toMatch(/cannot be read: /);
});

test('rules: no file is no problem, and a link to a file of the user is followed', async () => {
  const {path, file} = fileFixture();
  expect(file.changeMark()).toBeUndefined();
  expect((await file.read()).problems).toEqual([]);
  writeFileSync(`${path}.real`, '[[rule]]\nname = "a"\nbot = true\nstar = true\n');
  symlinkSync(`${path}.real`, path);
  expect((await file.read()).rules).toHaveLength(1);
});

test('rules: a file that others may change is not used, until it is private again', async () => {
  const {path, file} = fileFixture();
  writeFileSync(path, '[[rule]]\nname = "a"\nbot = true\nstar = true\n');
  chmodSync(path, 0o666);
  const mark = file.changeMark();
  expect((await file.read()).problems).toEqual([expect.stringContaining('others may change the file')]);
  chmodSync(path, 0o600);
  expect(file.changeMark()).not.toBe(mark);
  expect((await file.read()).rules).toHaveLength(1);
});

test.runIf(process.getuid?.() === 0)(
  'rules: a group that may change the file must be that of the user alone',
  async () => {
    const {path, file} = fileFixture();
    writeFileSync(path, '[[rule]]\nname = "a"\nbot = true\nstar = true\n');
    chmodSync(path, 0o660);
    expect((await file.read()).problems).toEqual([]);
    chownSync(path, 0, 12_345);
    expect((await file.read()).problems).toEqual([expect.stringContaining('others may change the file')]);
    chmodSync(path, 0o640);
    expect((await file.read()).problems).toEqual([]);
  },
);

test.runIf(process.getuid?.() === 0)('rules: a file of another user is not used', async () => {
  const {path, file} = fileFixture();
  writeFileSync(path, '[[rule]]\nname = "a"\nbot = true\nstar = true\n');
  chownSync(path, 12_345, 12_345);
  expect((await file.read()).problems).toEqual([expect.stringContaining('another user owns the file')]);
});

const added = '[[rule]]\nname = "new"\nchannel = "ci"\nstar = true\n';

test('rules: an added rule leaves comments, the mode and a link as they are', async () => {
  const {path, file} = fileFixture();
  await file.append(added);
  expect(readFileSync(path, 'utf8')).toBe(added);
  const text = '# mine\n[[rule]] # keep\nname = "a"\nbot = true\nstar = true # no line end';
  writeFileSync(path, text, {mode: 0o600});
  chmodSync(path, 0o640);
  renameSync(path, `${path}.mine`);
  symlinkSync(`${path}.mine`, path);
  await file.append(added);
  expect(readFileSync(path, 'utf8')).toBe(`${text}\n\n${added}`);
  expect([lstatSync(path).isSymbolicLink(), statSync(path).mode & 0o777]).toEqual([true, 0o640]);
  expect((await file.read()).rules.map(({name}) => name)).toEqual(['a', 'new']);
});

test.each(['[[rule]]\nname = """a\n', 'rule = 5\n', '[rule]\nname = 1\n'])(
  'rules: a rule is added also to a file with an error, which stays as it is: %j',
  async (text) => {
    const {path, file} = fileFixture();
    writeFileSync(path, text);
    await file.append(added);
    expect(readFileSync(path, 'utf8')).toBe(`${text}\n${added}`);
    expect((await file.read()).rules.map(({name}) => name)).toEqual(['new']);
  },
);

test.skipIf(process.getuid?.() === 0)('rules: nothing is added to a read-only file', async () => {
  const {path, file} = fileFixture();
  writeFileSync(path, added);
  chmodSync(path, 0o400);
  await expect(file.append(added)).rejects.toThrow('is read-only. Make it writable to add rules');
});

test('rules: programs that add rules at the same time keep each other’s', async () => {
  const {file} = fileFixture();
  const names = Array.from({length: 10}, (_, n) => `r${n}`);
  await Promise.all(names.map((name) => file.append(added.replace('new', name))));
  expect((await file.read()).rules.map((rule) => rule.name).toSorted()).toEqual(names.toSorted());
});
