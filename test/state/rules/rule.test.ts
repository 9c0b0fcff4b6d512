import {expect, test} from 'vitest';
import {checkRule, type RuleValues} from '#state/rules/rule.ts';

const now = new Date(2026, 4, 3, 12, 0).getTime();

function check(values: RuleValues) {
  const compile = (pattern: string) =>
    pattern === '(' ? {problem: 'It has no end.'} : (text: string) => text.includes(pattern);
  return checkRule(values, new Set(['taken']), now, compile);
}

const usable: readonly (readonly [values: RuleValues, actions: readonly string[]])[] = [
  [{channel: ['a'], mark_read: true}, ['markRead']],
  [{topic: ['a'], star: true}, ['star']],
  [{sender: ['a'], mute_topic: true}, ['muteTopic']],
  [{group: ['a'], follow_topic: true}, ['followTopic']],
  [{direct: false, snooze: '2 hours'}, ['snooze']],
  [{bot: false, notify: true}, ['notify']],
  [{mention: false, notify: false}, ['silence']],
  [{regex: 'a', mark_read: true, star: true, snooze: 'tomorrow 9:00'}, ['markRead', 'star', 'snooze']],
  [{topic_regex: 'a', mute_topic: true, notify: false, star: false}, ['muteTopic', 'silence']],
  [{time: ['22:00-06:30'], mark_read: true}, ['markRead']],
];

test.each(usable)('rules: %j can be used', (values, actions) => {
  expect(check({name: 'new', ...values})).toMatchObject({name: 'new', values, actions});
});

const unusable: readonly (readonly [values: RuleValues, key: string | undefined, text: RegExp])[] = [
  [{name: undefined as never, bot: true, star: true}, undefined, /needs a name/],
  [{name: 'taken', bot: true, star: true}, 'name', /another rule is called “taken”/],
  [{name: 'new', star: true}, undefined, /needs a condition: channel, topic/],
  [{name: 'new', account: ['a'], star: true}, undefined, /needs a condition/],
  [{name: 'new', bot: true}, undefined, /something to do/],
  [{name: 'new', bot: true, star: false, mark_read: false}, undefined, /something to do/],
  [{name: 'new', bot: true, mute_topic: true, follow_topic: true}, 'follow_topic', /both mute and follow/],
  [{name: 'new', time: ['22:00-06:30', 'night'], star: true}, 'time', /like "22:00-06:30"/],
  [{name: 'new', bot: true, snooze: 'yesterday'}, 'snooze', /time to come/],
  [{name: 'new', bot: true, snooze: '2026-05-03 12:00'}, 'snooze', /time to come/],
  [{name: 'new', regex: '(', star: true}, 'regex', /no end/],
  [{name: 'new', topic_regex: '(', star: true}, 'topic_regex', /no end/],
];

test.each(unusable)('rules: %j is refused with the key and the reason', (values, key, text) => {
  expect(check(values)).toEqual({...(key !== undefined && {key}), text: expect.stringMatching(text)});
});

test('rules: each pattern is that of its key, and each part of the day is kept', () => {
  const rule = check({name: 'new', regex: 'text', topic_regex: 'topic', time: ['1:00-2:00', '22:00-6:30'], star: true});
  if (!('actions' in rule)) throw new Error(rule.text);
  expect([rule.regex?.('a text'), rule.regex?.('a topic')]).toEqual([true, false]);
  expect([rule.topicRegex?.('a text'), rule.topicRegex?.('a topic')]).toEqual([false, true]);
  expect(rule.times).toEqual([
    {from: 60, to: 120},
    {from: 1320, to: 390},
  ]);
});
