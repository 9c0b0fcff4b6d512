import type {Channel} from '#state/model/channel.ts';
import {directConversation, topicConversation} from '#state/model/conversation.ts';
import type {DraftTarget} from '#state/model/draft.ts';
import type {User} from '#state/model/user.ts';
import {truncatedTopic} from '#state/outbox/normalize-text.ts';
import {channelNamed, exactUser, findChannel, findUser} from '#state/selectors/names/find-by-name.ts';
import {channelName, topicDisplayName, topicFromText} from '#state/selectors/names/names.ts';
import {fitsTopicsPolicy, hasNoTopics, topicsPolicy} from '#state/selectors/permissions/channel-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {personText} from '#state/selectors/search/parse-search.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {emptyLine, setText, type TextField} from '#ui/text/text-field.ts';

/** A destination as editable text: a channel and a topic, or people separated by commas. */
export interface Recipients {
  readonly kind: 'channel' | 'people';
  readonly to: TextField;
  /** Used for channels only. */
  readonly topic: TextField;
}

export function noRecipients(kind: Recipients['kind']): Recipients {
  return {kind, to: emptyLine, topic: emptyLine};
}

export function recipientsOf(state: AccountState, target: DraftTarget): Recipients {
  switch (target.kind) {
    case 'topic':
      return {
        kind: 'channel',
        to: setText(emptyLine, channelName(state, target.channelId)),
        topic: setText(emptyLine, target.topic === '' ? '' : target.topic),
      };
    case 'direct':
      return {kind: 'people', to: setText(emptyLine, peopleText(state, target.userIds)), topic: emptyLine};
    case 'none':
      return {...noRecipients('channel'), topic: setText(emptyLine, target.topic)};
  }
}

function peopleText(state: AccountState, userIds: readonly number[]): string {
  const ids = userIds.length === 0 ? [state.self.userId] : userIds;
  return ids.map((id) => personText(state, id)).join(', ');
}

/** Switches the kind when the text starts with `#` or `@`. */
export function withDetectedKind(recipients: Recipients): Recipients {
  const [sign] = recipients.to.text;
  if (sign === '#' && recipients.kind === 'people') return {...recipients, kind: 'channel'};
  if (sign === '@' && recipients.kind === 'channel') return {...recipients, kind: 'people'};
  return recipients;
}

/** Returns the destination as far as the text determines it. Cheap, because every key calls it. */
export function parseRecipients(state: AccountState, recipients: Recipients): DraftTarget {
  const {kind, to, topic} = recipients;
  const none: DraftTarget = {kind: 'none', topic: topic.text};
  if (kind === 'people') {
    const ids = peopleIds(state, to.text, exactUser);
    return ids === undefined ? none : directConversation(ids, state.self.userId);
  }
  const channel = namedChannel(state, recipients);
  if (channel === undefined) return none;
  const typed = truncatedTopic(topicFromText(state, topic.text), state);
  return topicConversation(channel.id, hasNoTopics(state, channel.id) ? '' : typed);
}

/** Returns the destination; one that is not chosen yet is read from the fields, where an empty topic is a topic. */
export function chosenTarget(
  state: AccountState,
  {target, recipients}: {readonly target: DraftTarget; readonly recipients: Recipients | undefined},
): DraftTarget {
  if (target.kind !== 'none' || recipients === undefined) return target;
  return parseRecipients(state, withFullNames(state, recipients));
}

/** Replaces parts of names by the names that they mean, when the user has finished the field. */
export function withFullNames(state: AccountState, recipients: Recipients): Recipients {
  const {kind, to} = recipients;
  if (kind === 'channel') {
    const channel = findChannel(state, withoutSign(to.text));
    return 'found' in channel ? {...recipients, to: setText(to, channel.found.name)} : recipients;
  }
  const ids = peopleIds(state, to.text, partlyNamedUser);
  return ids === undefined ? recipients : {...recipients, to: setText(to, peopleText(state, ids))};
}

/** Returns why the topic field cannot be left; undefined when its topic is accepted. */
export function topicProblem(state: AccountState, recipients: Recipients): string | undefined {
  const target = parseRecipients(state, recipients);
  const channel = target.kind === 'topic' ? state.channels.get(target.channelId) : undefined;
  if (target.kind !== 'topic' || channel === undefined) return undefined;
  const permission = fitsTopicsPolicy(state, channel, target.topic);
  return refusalReason(permission);
}

/** Returns the channel that the fields name. */
function namedChannel(state: AccountState, {kind, to}: Recipients): Channel | undefined {
  return kind === 'channel' ? channelNamed(state, withoutSign(to.text)) : undefined;
}

/** Whether the fields name a channel that has no topics. */
export function namesChannelWithoutTopics(state: AccountState, recipients: Recipients): boolean {
  const channel = namedChannel(state, recipients);
  return channel !== undefined && hasNoTopics(state, channel.id);
}

/** Returns why the recipients are invalid; undefined when they are valid. */
export function recipientsProblem(state: AccountState, {kind, to}: Recipients): string | undefined {
  const written = withoutSign(to.text);
  if (kind === 'channel') {
    if (written === '') return 'Enter a channel first.';
    const found = findChannel(state, written);
    return 'problem' in found ? found.problem : undefined;
  }
  const names = namesIn(to.text);
  if (names.length === 0) return 'Enter a recipient first.';
  for (const name of names) {
    const found = findUser(state, name);
    if ('problem' in found) return found.problem;
  }
  return undefined;
}

/** Returns the user whom a text or a part of a name means. Compares it with all users. */
function partlyNamedUser(state: AccountState, name: string): User | undefined {
  const user = findUser(state, name);
  return 'found' in user ? user.found : undefined;
}

function peopleIds(state: AccountState, text: string, find: typeof exactUser): readonly number[] | undefined {
  const names = namesIn(text);
  if (names.length === 0) return undefined;
  const ids: number[] = [];
  for (const name of names) {
    const user = find(state, name);
    if (user === undefined) return undefined;
    ids.push(user.id);
  }
  return ids;
}

function namesIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim().replace(/^@/, ''))
    .filter((name) => name !== '');
}

function withoutSign(text: string): string {
  return text.trim().replace(/^#/, '');
}

/** Returns what an empty topic field means in the named channel. */
export function emptyTopicText(state: AccountState, recipients: Recipients): string {
  const channel = namedChannel(state, recipients);
  const policy = channel === undefined ? undefined : topicsPolicy(state, channel);
  if (policy === 'disable_empty_topic') return 'topic (required)';
  const name = topicDisplayName(state, '');
  return policy === 'empty_topic_only' ? composed`${name} (this channel has no topics)` : name;
}
