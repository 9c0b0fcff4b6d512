import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {pathsOf} from '#config/paths.ts';
import {systemClock} from '#std/clock.ts';
import {readAsset} from '#std/program-files.ts';
import {verbFixture} from '#test/cli/verbs/verb-fixture.ts';
import type {Reply} from '#test/support/api-client.ts';
import type {Person} from '#test/support/people.ts';
import {testServer} from '#test/support/server.ts';

/** The clock stands in the night, so that rules about it apply to the messages. */
const night = {...systemClock, now: () => new Date(2026, 4, 3, 23, 30).getTime()};

async function scene() {
  const server = await testServer({clock: night});
  const {people} = server;
  const [meg, otto, maren] = [people.member(), people.member('Otto Other'), people.member('Maren')];
  const bot = people.bot('Build bot', meg);
  const everyone = [meg, otto, maren, bot];
  for (const name of ['ci', 'deploys', 'tickets', 'general']) people.channel(name, everyone);
  await server.as(people.owner()).post('/user_groups/create', {name: 'operators', description: '', members: [otto.id]});
  const say = (person: Person, channel: string, topic: string, content: string) =>
    server.as(person).post('/messages', {type: 'stream', to: channel, topic, content});
  await say(bot, 'ci', 'main', 'Build 1 passed');
  await say(bot, 'ci', 'main', 'Build 2 failed');
  await say(bot, 'deploys', 'web', 'Deployed');
  await say(bot, 'tickets', 'T1', 'Opened');
  await say(otto, 'ci', 'main', 'I look into it');
  await say(maren, 'general', 'Plans for May', 'What about the lake?');
  await say(maren, 'general', 'lunch', 'Soup');
  await say(meg, 'general', 'lunch', 'Bread');
  const {home, run} = verbFixture(server, meg);
  const {config} = pathsOf({}, home);
  mkdirSync(join(config, 'accounts'), {recursive: true, mode: 0o700});
  const account = `[api]\nemail=${meg.email}\nkey=${meg.apiKey}\nsite=${server.url}\n`;
  writeFileSync(join(config, 'accounts', 'work.zuliprc'), account, {mode: 0o600});
  const flags = async () => {
    const {messages} = await server.as(meg).get('/messages', {anchor: 'newest', num_before: 100, num_after: 0});
    return messages.map((message: Reply) => message.flags);
  };
  const policies = async () => (await server.as(meg).post('/register', {})).user_topics;
  return {
    seen: async () => ({flags: await flags(), policies: await policies()}),
    write: (toml: string) => writeFileSync(join(config, 'rules.toml'), toml, {mode: 0o600}),
    run: (verb: 'rules' | 'rules test', ...argv: string[]) => run(verb, ['--account', 'work', ...argv], {clock: night}),
  };
}

const chapter = readAsset('help/rules.md');
const examples = Array.from(chapter.matchAll(/```toml\n(.*?)```/gs), ([, toml = '']) => toml);

/** What each rule of the manual's examples does with the messages of the scene. */
const results: Readonly<Record<string, object>> = {
  builds: {markRead: 3},
  failures: {star: 1, notify: 1},
  'operators may wake me': {notify: 1},
  night: {silence: 6},
  'plans of Maren': {followTopic: 1},
  later: {snooze: 1},
  tickets: {muteTopic: 1},
};

test('rules: each example of the manual works', async () => {
  const {write, run} = await scene();
  expect(examples).toHaveLength(5);
  const done: Record<string, object> = {};
  for (const toml of examples) {
    write(toml);
    const {code, out} = await run('rules test', '--json');
    expect(code).toBe(0);
    const {problems, rules} = JSON.parse(out);
    expect(problems).toEqual([]);
    for (const {name, actions} of rules) done[name] = actions;
  }
  expect(done).toEqual(results);
});

test('rules: the test lists the conversations of each rule, and changes nothing', async () => {
  const {write, run} = await scene();
  write(`${examples[0]}\n[[rule]]\nname = "none"\nregex = 'nowhere'\nstar = true\n`);
  const {code, out} = await run('rules test', '--since', '1d');
  expect(code).toBe(0);
  expect(out).toBe(`What 2 rules would have done with 8 messages:
builds: 3 messages marked read
     2  #ci › main
     1  #deploys › web
none: nothing
`);
  expect((await run('rules test', '--since', '1d')).out).toBe(out);
  expect((await run('rules test', '--since', 'soon')).code).toBe(2);
});

test('rules: after the test nothing is read, starred, muted or followed, whatever the rules do', async () => {
  const {write, run, seen} = await scene();
  const all = 'mark_read = true\nstar = true\nsnooze = "2 hours"\n';
  write(
    `[[rule]]\nname = "a"\nbot = true\n${all}mute_topic = true\n[[rule]]\nname = "b"\nbot = false\n${all}follow_topic = true\n`,
  );
  const before = await seen();
  expect(await run('rules test')).toMatchObject({
    code: 0,
    // What concerns a topic counts once for all its messages.
    out: expect.stringContaining('4 messages marked read, 4 messages starred, 3 topics muted, 3 conversations snoozed'),
  });
  expect(await seen()).toEqual(before);
});

test('rules: the list says what each rule does, and names problems with line and column', async () => {
  const {write, run} = await scene();
  expect((await run('rules')).out).toBe('~/.config/parley/rules.toml: 0 rules in use\n');
  write(`[[rule]]
name = "builds"
channel = ["ci", "deploys"]
bot = true
mention = false
mark_read = true
snooze = "2 hours"
[[rule]]
name = "home"
account = "work"
channel = "cy"
star = true
[[rule]]
name = "typo"
chanel = "ci"
star = true
`);
  const {code, out} = await run('rules');
  expect(code).toBe(1);
  expect(out).toBe(`~/.config/parley/rules.toml: 1 rule in use
  builds  channel ci or deploys, bot, not mention → mark read, snooze 2 hours
  home    account work, channel cy → star (not used here)
~/.config/parley/rules.toml, line 15, column 1: a rule has no “chanel”. It may have: name, account, channel, topic, sender, group, direct, bot, mention, regex, topic_regex, time, mark_read, mute_topic, follow_topic, star, snooze, notify.
~/.config/parley/rules.toml, line 11, column 1: There is no channel called “cy”. Did you mean “ci”?
`);
  const json = JSON.parse((await run('rules', '--json')).out);
  expect(json.rules.map(({name, isUsed}: {name: string; isUsed: boolean}) => [name, isUsed])).toEqual([
    ['builds', true],
    ['home', false],
  ]);
  expect(json.problems).toHaveLength(2);
});

test('rules: the manual has every key', async () => {
  const {ruleKeys} = await import('#state/rules/rule.ts');
  for (const key of Object.keys(ruleKeys)) expect(chapter).toContain(key === 'name' ? 'needs a name' : `\`${key}`);
});
