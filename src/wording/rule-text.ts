import {type RuleAction, type RuleKey, type RuleValues, ruleKeys} from '#state/rules/rule.ts';
import {countedNoun} from './counted-noun.ts';

const countTexts: Readonly<Record<RuleAction, (count: number) => string>> = {
  markRead: (count) => `${countedNoun(count, 'message')} marked read`,
  star: (count) => `${countedNoun(count, 'message')} starred`,
  muteTopic: (count) => `${countedNoun(count, 'topic')} muted`,
  followTopic: (count) => `${countedNoun(count, 'topic')} followed`,
  snooze: (count) => `${countedNoun(count, 'conversation')} snoozed`,
  notify: (count) => `${countedNoun(count, 'message')} notified`,
  silence: (count) => `${countedNoun(count, 'message')} not notified`,
};

/** Returns what was done, in words: `3 messages marked read, 1 topic muted`. */
export function countsText(counts: ReadonlyMap<RuleAction, number>): string {
  return [...counts].map(([action, count]) => countTexts[action](count)).join(', ');
}

const actionKeys: readonly string[] = ['mark_read', 'mute_topic', 'follow_topic', 'star', 'snooze', 'notify'];

/** Returns a rule in words: `channel ci, bot → mark read`. */
export function ruleText(values: RuleValues): string {
  const [conditions, actions]: [string[], string[]] = [[], []];
  for (const [key, value] of Object.entries(values)) {
    if (key === 'name') continue;
    const name = key.replaceAll('_', ' ');
    const text = value === true ? name : value === false ? `not ${name}` : `${name} ${[value].flat().join(' or ')}`;
    (actionKeys.includes(key) ? actions : conditions).push(text);
  }
  return `${conditions.join(', ')} → ${actions.join(', ')}`;
}

/** Returns the rule as text of the file. */
export function ruleToml(values: RuleValues): string {
  const keys = Object.keys(ruleKeys) as RuleKey[];
  const lines = keys.flatMap((key) => (values[key] === undefined ? [] : [`${key} = ${tomlValue(values[key])}`]));
  return `[[rule]]\n${lines.join('\n')}\n`;
}

function tomlValue(value: boolean | string | readonly string[]): string {
  const [only, ...others] = Array.isArray(value) ? value : [value];
  // TOML has no escape of half a surrogate pair, and allows no plain delete character.
  const json = JSON.stringify(others.length === 0 ? only : value, (_key, one) =>
    typeof one === 'string' ? one.toWellFormed() : one,
  );
  return json.replaceAll('\u007f', '\\u007f');
}
