import {isMentionFlag} from '#state/messages/event-conversations.ts';
import type {Message} from '#state/model/message.ts';
import {foldName} from '#state/model/user.ts';
import {channelNamed, exactUser, findChannel, findGroup, findUser} from '#state/selectors/names/find-by-name.ts';
import {topicFromText} from '#state/selectors/names/names.ts';
import {isMember} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {wallTime} from '#std/parse-moment.ts';
import {unresolvedTopic} from '#wire/objects/channel.ts';
import type {Rule, RuleAction, RuleKey, RuleProblem} from './rule.ts';

/** A rule with the ids of what it names in one account. */
export interface ResolvedRule extends Rule {
  readonly channelIds: ReadonlySet<number> | undefined;
  readonly topics: ReadonlySet<string> | undefined;
  readonly senderIds: ReadonlySet<number> | undefined;
  readonly groupIds: readonly number[] | undefined;
}

/** The account that rules are resolved in. */
interface RuleAccount {
  readonly name: string;
  /** The names of all accounts; empty where they are unknown. */
  readonly known: readonly string[];
}

export interface UnresolvedRule extends RuleProblem {
  readonly rule: Rule;
}

/** Names that may have been meant are looked for only so often: an organization may have 50,000 users. */
const maxSuggestions = 20;

/** Looks up the names of all rules. A rule with an unknown name is not used; one for another account is in neither list. */
export function resolveRules(rules: readonly Rule[], state: AccountState, account: RuleAccount) {
  const resolved: ResolvedRule[] = [];
  const problems: UnresolvedRule[] = [];
  for (const rule of rules) {
    const others = rule.values.account?.filter((name) => foldName(name) !== foldName(account.name));
    const unknown = others?.find((name) => account.known.length > 0 && !account.known.some(isCalled(name)));
    if (unknown !== undefined) {
      problems.push({rule, key: 'account', text: `there is no account called “${unknown}”.`});
    } else if (others === undefined || others.length < (rule.values.account?.length ?? 0)) {
      const result = resolveRule(rule, state, problems.length < maxSuggestions);
      if ('rule' in result) problems.push(result);
      else resolved.push(result);
    }
  }
  return {resolved, problems};
}

function isCalled(name: string): (other: string) => boolean {
  return (other) => foldName(other) === foldName(name);
}

function resolveRule(rule: Rule, state: AccountState, suggests: boolean): ResolvedRule | UnresolvedRule {
  const {channel, topic, sender, group} = rule.values;
  const channels = idsOf(channel, (name) => channelNamed(state, name)?.id);
  if (!(channels instanceof Set))
    return unknownName(rule, 'channel', channels, suggests && findChannel(state, channels, 'exact'));
  const senders = idsOf(sender, (name) => exactUser(state, name)?.id);
  if (!(senders instanceof Set))
    return unknownName(rule, 'sender', senders, suggests && findUser(state, senders, 'exact'));
  const groups = idsOf(group, (name) => groupNamed(state, name));
  if (!(groups instanceof Set))
    return unknownName(rule, 'group', groups, suggests && findGroup(state, groups, 'exact'));
  return {
    ...rule,
    channelIds: channel && channels,
    topics: topic && new Set(topic.map((name) => topicName(topicFromText(state, name)))),
    senderIds: sender && senders,
    groupIds: group && [...groups],
  };
}

/** Returns the ids of the names, or the first name that nothing has. */
function idsOf(names: readonly string[] = [], idOf: (name: string) => number | undefined): Set<number> | string {
  const ids = new Set<number>();
  for (const name of names) {
    const id = idOf(name);
    if (id === undefined) return name;
    ids.add(id);
  }
  return ids;
}

function groupNamed(state: AccountState, name: string): number | undefined {
  const lookup = findGroup(state, name, 'exact');
  return 'found' in lookup ? lookup.found.id : undefined;
}

type Lookup = false | {readonly problem: string} | {readonly found: unknown};

function unknownName(rule: Rule, key: RuleKey, name: string, lookup: Lookup): UnresolvedRule {
  const isNamed = lookup !== false && 'problem' in lookup;
  return {rule, key, text: isNamed ? lookup.problem : `There is no ${key} called “${name}”.`};
}

function topicName(topic: string): string {
  return foldName(unresolvedTopic(topic));
}

const maxText = 4000;

/**
 * Whether a rule is about a message: all its conditions are met. The user's own messages are met only by a rule that names the
 * user as the sender. The time of day is that of the message, on this machine's clock.
 */
function matchesRule(rule: ResolvedRule, message: Message, state: AccountState): boolean {
  const {channelIds, topics, senderIds, groupIds, values, times} = rule;
  const {senderId} = message;
  if (senderId === state.self.userId && senderIds?.has(senderId) !== true) return false;
  const isChannel = message.kind === 'channel';
  if (channelIds !== undefined && !(isChannel && channelIds.has(message.channelId))) return false;
  if (topics !== undefined && !(isChannel && topics.has(topicName(message.topic)))) return false;
  if (senderIds !== undefined && !senderIds.has(senderId)) return false;
  if (values.direct !== undefined && values.direct === isChannel) return false;
  if (values.bot !== undefined && values.bot !== (state.users.get(senderId)?.isBot ?? false)) return false;
  const isMention = message.flags.some(isMentionFlag);
  if (values.mention !== undefined && values.mention !== isMention) return false;
  const sentAt = message.timestamp * 1000;
  if (groupIds?.every((id) => !isMember(state, senderId, id, sentAt)) === true) return false;
  if (times.length > 0 && !times.some((range) => isWithin(range, sentAt))) return false;
  if (rule.topicRegex !== undefined && !(isChannel && rule.topicRegex(message.topic))) return false;
  return rule.regex === undefined || rule.regex(message.content.slice(0, maxText));
}

function isWithin({from, to}: Rule['times'][number], atMs: number): boolean {
  const {hour, minute} = wallTime(atMs, undefined);
  const at = hour * 60 + minute;
  return from < to ? at >= from && at < to : at >= from || at < to;
}

/** One thing that a rule does about one message. */
export interface Decision {
  readonly rule: ResolvedRule;
  readonly action: RuleAction;
}

/** Actions of which a message can have only one; the first rule in the file decides. */
const rivals: Readonly<Partial<Record<RuleAction, RuleAction>>> = {
  muteTopic: 'followTopic',
  followTopic: 'muteTopic',
  notify: 'silence',
  silence: 'notify',
};

/** Decides what the rules do about the messages. Yields after each rule, so that thousands of rules need not delay a key. */
export function* decideByRules(
  rules: readonly ResolvedRule[],
  messages: readonly Message[],
  state: AccountState,
): Generator<undefined, ReadonlyMap<number, readonly Decision[]>> {
  const decided = new Map<number, readonly Decision[]>();
  for (const message of messages) {
    const decisions: Decision[] = [];
    for (const rule of rules) {
      yield;
      if (!matchesRule(rule, message, state)) continue;
      for (const action of rule.actions) if (isOpen(decisions, action)) decisions.push({rule, action});
    }
    if (decisions.length > 0) decided.set(message.id, decisions);
  }
  return decided;
}

function isOpen(decisions: readonly Decision[], action: RuleAction): boolean {
  return !decisions.some((one) => one.action === action || one.action === rivals[action]);
}
