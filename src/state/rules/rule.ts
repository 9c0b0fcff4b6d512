import {parseMoment} from '#std/parse-moment.ts';
import {printableLine} from '#std/printable.ts';
import {parseTimeRange, type TimeRange} from '#std/time-range.ts';

/** The keys of a rule in `rules.toml` and what their values may be: names and conditions first, then what the rule does. */
export const ruleKeys = {
  name: 'text',
  account: 'texts',
  channel: 'texts',
  topic: 'texts',
  sender: 'texts',
  group: 'texts',
  direct: 'switch',
  bot: 'switch',
  mention: 'switch',
  regex: 'text',
  topic_regex: 'text',
  time: 'texts',
  mark_read: 'switch',
  mute_topic: 'switch',
  follow_topic: 'switch',
  star: 'switch',
  snooze: 'text',
  notify: 'switch',
} as const;

type KindValue = {readonly text: string; readonly texts: readonly string[]; readonly switch: boolean};
export type RuleKey = keyof typeof ruleKeys;
/** The values of a rule as they are in the file. */
export type RuleValues = {readonly [K in RuleKey]?: KindValue[(typeof ruleKeys)[K]]};

const conditionKeys = [
  ...(['channel', 'topic', 'sender', 'group', 'direct', 'bot', 'mention', 'regex', 'topic_regex', 'time'] as const),
];

/** What a rule may do to a message or its conversation. None of these deletes or sends anything. */
export type RuleAction = 'markRead' | 'star' | 'muteTopic' | 'followTopic' | 'snooze' | 'notify' | 'silence';

/** Whether a text contains a match. */
type TextTest = (text: string) => boolean;

/** A rule without errors in itself. Names are looked up in the account: see `match-rules.ts`. */
export interface Rule {
  readonly name: string;
  readonly values: RuleValues;
  readonly times: readonly TimeRange[];
  readonly regex?: TextTest | undefined;
  readonly topicRegex?: TextTest | undefined;
  readonly actions: readonly RuleAction[];
}

/** Why a rule cannot be used, and the key that it is about. */
export interface RuleProblem {
  readonly key?: RuleKey | undefined;
  /** A sentence. */
  readonly text: string;
}

/** Compiles a pattern, or returns why it cannot be used. */
export type CompilePattern = (pattern: string) => TextTest | {readonly problem: string};

/** Checks the values of a rule. `taken` are the names of the rules before it. */
export function checkRule(
  values: RuleValues,
  taken: ReadonlySet<string>,
  now: number,
  compile: CompilePattern,
): Rule | RuleProblem {
  const {regex: pattern, topic_regex: topicPattern, snooze} = values;
  if (values.name === undefined) return {text: 'a rule needs a name.'};
  const name = printableLine(values.name);
  if (taken.has(name)) return {key: 'name', text: `another rule is called “${name}”.`};
  if (!conditionKeys.some((key) => values[key] !== undefined)) {
    return {text: `a rule needs a condition: ${conditionKeys.join(', ')}.`};
  }
  const actions = actionsOf(values);
  if (actions.length === 0) {
    return {text: 'a rule needs something to do: mark_read, mute_topic, follow_topic, star, snooze, notify.'};
  }
  if (actions.includes('muteTopic') && actions.includes('followTopic')) {
    return {key: 'follow_topic', text: 'a rule cannot both mute and follow a topic.'};
  }
  const written = values.time ?? [];
  const times = written.flatMap((text) => parseTimeRange(text) ?? []);
  if (times.length < written.length) return {key: 'time', text: '“time” must be like "22:00-06:30".'};
  if (snooze !== undefined && (parseMoment(snooze, now, undefined) ?? 0) <= now) {
    return {key: 'snooze', text: '“snooze” must be a time to come, such as "2 hours" or "tomorrow 9:00".'};
  }
  const regex = pattern === undefined ? undefined : compile(pattern);
  if (regex !== undefined && 'problem' in regex) return {key: 'regex', text: regex.problem};
  const topicRegex = topicPattern === undefined ? undefined : compile(topicPattern);
  if (topicRegex !== undefined && 'problem' in topicRegex) return {key: 'topic_regex', text: topicRegex.problem};
  return {name, values, times, regex, topicRegex, actions};
}

function actionsOf({mark_read, mute_topic, follow_topic, star, snooze, notify}: RuleValues): readonly RuleAction[] {
  return [
    ...(mark_read === true ? (['markRead'] as const) : []),
    ...(star === true ? (['star'] as const) : []),
    ...(mute_topic === true ? (['muteTopic'] as const) : []),
    ...(follow_topic === true ? (['followTopic'] as const) : []),
    ...(snooze === undefined ? [] : (['snooze'] as const)),
    ...(notify === undefined ? [] : ([notify ? 'notify' : 'silence'] as const)),
  ];
}
