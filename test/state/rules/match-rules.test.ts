import {expect, test} from 'vitest';
import type {Message} from '#state/model/message.ts';
import {decideByRules, resolveRules} from '#state/rules/match-rules.ts';
import {checkRule, type Rule, type RuleValues} from '#state/rules/rule.ts';
import {SortedSet} from '#std/sorted-map.ts';
import * as eg from '#test/support/state-builders.ts';

const [meg, otto, bot] = [eg.selfId, 11, 12];
const state = eg.state({
  users: eg.users(
    eg.user({id: meg, fullName: 'Meg'}),
    eg.user({id: otto, fullName: 'Otto'}),
    eg.user({id: bot, fullName: 'Build bot', isBot: true}),
  ),
  channels: eg.byId(eg.channel({id: 1, name: 'general'}), eg.channel({id: 2, name: 'ci'})),
  groups: eg.byId(
    eg.group({id: 7, name: 'operators', members: SortedSet.from([otto])}),
    eg.group({id: 8, name: 'machines', members: SortedSet.from([bot])}),
  ),
});

function rule(values: RuleValues): Rule {
  const compile = (pattern: string) => (text: string) => new RegExp(pattern).test(text);
  const checked = checkRule({name: 'rule', ...values}, new Set(), 0, compile);
  if (!('actions' in checked)) throw new Error(checked.text);
  return checked;
}

const account = {name: 'work', known: ['work', 'home']};

function resolve(...values: readonly RuleValues[]) {
  return resolveRules(values.map(rule), state, account);
}

/** Returns what the rules do about each message, by its id: names of actions. */
function decide(rules: readonly RuleValues[], ...messages: readonly Message[]): Record<number, readonly string[]> {
  const {resolved, problems} = resolve(...rules);
  expect(problems).toEqual([]);
  const steps = decideByRules(resolved, messages, state);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return Object.fromEntries([...step.value].map(([id, decisions]) => [id, decisions.map(({action}) => action)]));
}

/** Returns a time of day on this machine's clock, as a message has it. */
function at(hour: number, minute: number): number {
  return new Date(2026, 4, 3, hour, minute).getTime() / 1000;
}

/** Messages with different properties, each with its own id. */
const messages: readonly Message[] = [
  eg.message({id: 1, senderId: otto, channelId: 1, topic: 'lunch', content: 'soup', timestamp: at(12, 0)}),
  eg.message({id: 2, senderId: bot, channelId: 2, topic: 'main', content: 'Build failed', timestamp: at(12, 0)}),
  eg.message({id: 3, senderId: otto, channelId: 2, topic: '✔ Lunch', flags: ['mentioned'], timestamp: at(23, 0)}),
  eg.direct({id: 4, senderId: otto, content: 'soup?', timestamp: at(5, 59)}),
  eg.message({id: 5, senderId: meg, channelId: 1, topic: 'lunch', content: 'soup', timestamp: at(6, 0)}),
  eg.direct({id: 6, senderId: bot, userIds: [bot], flags: ['mentioned'], timestamp: at(22, 0)}),
  eg.message({id: 7, senderId: bot, channelId: 2, topic: 'end', content: 'Done', timestamp: at(6, 0)}),
];

const conditions: readonly (readonly [condition: RuleValues, matching: readonly number[]])[] = [
  [{channel: ['general']}, [1]],
  [{channel: ['GENERAL', 'ci']}, [1, 2, 3, 7]],
  [{topic: ['lunch']}, [1, 3]],
  [{channel: ['ci'], topic: ['Lunch']}, [3]],
  [{sender: ['Otto']}, [1, 3, 4]],
  // The user's own messages are met only by a rule that names the user.
  [{sender: ['Meg']}, [5]],
  [{sender: ['Otto', 'Meg']}, [1, 3, 4, 5]],
  [{group: ['operators']}, [1, 3, 4]],
  [{group: ['operators', 'machines']}, [1, 2, 3, 4, 6, 7]],
  [{direct: true}, [4, 6]],
  [{direct: false}, [1, 2, 3, 7]],
  [{bot: true}, [2, 6, 7]],
  [{bot: false}, [1, 3, 4]],
  [{mention: true}, [3, 6]],
  [{mention: false}, [1, 2, 4, 7]],
  [{regex: 'soup'}, [1, 4]],
  [{topic_regex: '^[lm]'}, [1, 2]],
  // The end of a range is not part of it; a range may end on the next day.
  [{time: ['12:00-13:00']}, [1, 2]],
  [{time: ['11:00-12:00']}, []],
  [{time: ['22:00-06:00']}, [3, 4, 6]],
  [{time: ['05:00-05:59', '22:30-23:30']}, [3]],
  [{sender: ['Otto'], direct: true, regex: 'soup'}, [4]],
];

test.each(conditions)('rules: the condition %j meets only its messages', (condition, matching) => {
  const decided = decide([{...condition, star: true}], ...messages);
  expect(Object.keys(decided).map(Number)).toEqual(matching);
});

test('rules: a rule looks only at the first 4000 characters of a message', () => {
  const long = (id: number, blanks: number) => eg.message({id, content: `${' '.repeat(blanks)}x`});
  expect(decide([{regex: 'x', star: true}], long(1, 3999), long(2, 4000))).toEqual({1: ['star']});
});

/** Two rules about the same message: what both of them do. */
const pairs: readonly (readonly [first: RuleValues, second: RuleValues, actions: readonly string[]])[] = [
  [{mute_topic: true}, {follow_topic: true}, ['muteTopic']],
  [{follow_topic: true}, {mute_topic: true}, ['followTopic']],
  [{notify: true}, {notify: false}, ['notify']],
  [{notify: false}, {notify: true}, ['silence']],
  [{mark_read: true}, {mark_read: true, star: true}, ['markRead', 'star']],
  [{snooze: '2 hours'}, {mute_topic: true}, ['snooze', 'muteTopic']],
];

test.each(pairs)(
  'rules: of %j and %j, the first decides what a message can have only once',
  (first, second, actions) => {
    const condition = {channel: ['general']};
    expect(
      decide(
        [
          {...condition, ...first},
          {...condition, ...second},
        ],
        eg.message(),
      ),
    ).toEqual({1: actions});
  },
);

test('rules: a rule that names another account is not used here, one that names this account is', () => {
  const named = (...names: string[]): RuleValues => ({name: names.join(), account: names, direct: true, star: true});
  const {resolved, problems} = resolve(named('Work'), named('home'), named('home', 'work'));
  expect(resolved.map(({name}) => name)).toEqual(['Work', 'home,work']);
  expect(problems).toEqual([]);
});

test('rules: an account that does not exist is a problem, unless the accounts are unknown', () => {
  const values = {account: ['work', 'wrok'], direct: true, star: true};
  const expected = {key: 'account', text: 'there is no account called “wrok”.'};
  expect(resolve(values)).toMatchObject({resolved: [], problems: [expected]});
  const unknown = resolveRules([rule(values)], state, {name: 'work', known: []});
  expect(unknown).toMatchObject({resolved: [{name: 'rule'}], problems: []});
});

const unknownNames: readonly (readonly [values: RuleValues, key: string, text: RegExp])[] = [
  [{channel: ['general', 'generl']}, 'channel', /no channel called “generl”.*“general”/],
  [{sender: ['Oto']}, 'sender', /“Oto”.*Otto/],
  [{group: ['operator']}, 'group', /“operator”.*operators/],
];

test.each(unknownNames)('rules: %j is a problem that names what may be meant', (values, key, text) => {
  const {resolved, problems} = resolve({...values, star: true});
  expect(resolved).toEqual([]);
  expect(problems).toMatchObject([{rule: {name: 'rule'}, key, text: expect.stringMatching(text)}]);
});

test('rules: after 20 unknown names, names that may be meant are no longer looked for', () => {
  const many = Array.from({length: 21}, (_, at) => ({name: String(at), channel: ['generl'], star: true}));
  const texts = resolve(...many).problems.map(({text}) => text);
  expect(texts.slice(19)).toEqual([expect.stringMatching(/general/), 'There is no channel called “generl”.']);
});

test('rules: the work pauses after each rule of each message, so that many rules do not delay a key', () => {
  const {resolved} = resolve({bot: true, star: true}, {direct: true, star: true});
  expect([...decideByRules(resolved, messages, state)]).toHaveLength(2 * messages.length);
});
