import {type TopicConversation, topicConversation, topicKey} from '#state/model/conversation.ts';
import type {ChannelMessage} from '#state/model/message.ts';
import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import {topicDisplayName, topicFromText} from '#state/selectors/names/names.ts';
import {canCreateTopic, fitsTopicsPolicy} from '#state/selectors/permissions/channel-permissions.ts';
import {canMoveToChannel, canMoveToTopic} from '#state/selectors/permissions/message-permissions.ts';
import {type Permission, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {channelColor} from '#ui/format/conversation-name.ts';
import {
  type ChannelAndTopic,
  channelDetail,
  findChannels,
  findTopics,
  parseChannelAndTopic,
  topicDetail,
} from '#ui/search/find-channels-and-topics.ts';

/** A row of the move picker: a topic to move to, or a channel to look into. */
type MoveChoice =
  | {readonly kind: 'topic'; readonly conversation: TopicConversation}
  | {readonly kind: 'channel'; readonly channelId: number};

export function parseMoveChoice(key: string): MoveChoice | undefined {
  const [, kind, id, topic = ''] = /^(topic|channel) (\d+)(?::(.*))?$/s.exec(key) ?? [];
  if (id === undefined) return undefined;
  return kind === 'channel'
    ? {kind, channelId: Number(id)}
    : {kind: 'topic', conversation: topicConversation(Number(id), topic)};
}

/**
 * Returns the possible destinations: topics of the message's channel that match; `#name` finds other channels, and
 * `#name>topic` their topics.
 */
export function moveDestinationRows(frame: Frame, message: ChannelMessage, query: string): readonly PickerRow[] {
  const {account} = frame;
  const written = query.trim();
  if (!written.startsWith('#')) return topicRowsFor(frame, message, message.channelId, written);
  const target = parseMoveTarget(account, written);
  if (target !== undefined) return topicRowsFor(frame, message, target.channel.id, target.topic.trim());
  return findChannels(account, written.slice(1)).map(({channel, ranges}): PickerRow => {
    const permission = permissionTo(frame, message, channel.id);
    return {
      key: `channel ${channel.id}`,
      label: composed`#${channel.name}`,
      tint: channelColor(account, channel.id),
      matched: ranges.map(([from, to]) => [from + 1, to + 1] as const),
      detail: channelDetail(account, channel),
      disabled: refusalReason(permission),
    };
  });
}

/** Parses `#channel>topic`; undefined without a `>` after the name of a channel. */
export function parseMoveTarget(account: AccountState, query: string): ChannelAndTopic | undefined {
  const written = query.trim();
  return written.startsWith('#') ? parseChannelAndTopic(account, written.slice(1)) : undefined;
}

function permissionTo({account, minute}: Frame, message: ChannelMessage, channelId: number): Permission {
  return channelId === message.channelId
    ? canMoveToTopic(account, message, minute)
    : canMoveToChannel(account, message, minute, channelId);
}

function topicRowsFor(frame: Frame, message: ChannelMessage, channelId: number, written: string): readonly PickerRow[] {
  const {account} = frame;
  const disabled = refusalReason(permissionTo(frame, message, channelId));
  // The field starts with the current topic: until it changes, all topics are offered.
  const isKept = movedTopic(frame, message, written) === message.topic;
  const isUnchanged = channelId === message.channelId && isKept;
  const existing = findTopics(account, channelId, isUnchanged ? '' : written).map(({row, ranges}): PickerRow => {
    const {channelId: channel, topic} = row.conversation;
    const isHere = channel === message.channelId && topic === message.topic;
    return {
      key: `topic ${channel}:${topic}`,
      label: row.display,
      matched: ranges,
      detail: ['existing topic', topicDetail(row)].filter((part) => part !== undefined).join(' · '),
      disabled: isHere ? 'The message is already in this topic.' : (disabled ?? renameProblem(frame, message, topic)),
    };
  });
  const prefixed = existing.filter(({label}) => topicKey(label).startsWith(topicKey(written)));
  const others = existing.filter((row) => !prefixed.includes(row));
  const fresh = newTopicRows(frame, message, channelId, written, disabled);
  // A topic that keeps its name in another channel is not merged into one whose name only starts with it.
  return isKept ? [...fresh, ...prefixed, ...others] : [...prefixed, ...fresh, ...others];
}

/** Returns why the messages must keep their topic, also in another channel. */
function renameProblem({account, minute}: Frame, message: ChannelMessage, topic: string): string | undefined {
  const permission = topic === message.topic ? undefined : canMoveToTopic(account, message, minute);
  return permission?.ok === false ? permission.reason : undefined;
}

/** Returns the topic for the typed text; the unchanged name stays resolved. */
function movedTopic({account}: Frame, {topic}: ChannelMessage, written: string): string {
  return written === topicDisplayName(account, topic) ? topic : topicFromText(account, written);
}

/** Returns a row for the typed text when no topic of that name, or of that spelling, exists. */
function newTopicRows(
  frame: Frame,
  message: ChannelMessage,
  channelId: number,
  written: string,
  disabled: string | undefined,
): readonly PickerRow[] {
  const {account} = frame;
  const topic = movedTopic(frame, message, written);
  const isRespelled =
    channelId === message.channelId && topic !== message.topic && topicKey(topic) === topicKey(message.topic);
  const isNew = written !== '' && topicExists(account, channelId, topic) !== true;
  if (written === '' || (!isNew && !isRespelled)) return [];
  return [
    {
      key: `topic ${channelId}:${topic}`,
      label: topicDisplayName(account, topic),
      detail: isNew ? 'new topic' : 'another spelling',
      role: 'new_topic',
      disabled: disabled ?? renameProblem(frame, message, topic) ?? topicProblem(frame, channelId, topic, isNew),
    },
  ];
}

function topicProblem({account, minute}: Frame, channelId: number, topic: string, isNew: boolean): string | undefined {
  const {maxTopicLength = 60} = account.server;
  const length = [...topic].length;
  if (length > maxTopicLength) return `This is too long for a topic: ${length} of ${maxTopicLength} characters.`;
  const channel = account.channels.get(channelId);
  const fits = channel && fitsTopicsPolicy(account, channel, topic);
  if (fits?.ok === false) return fits.reason;
  const mayCreate = isNew ? canCreateTopic(account, channelId, minute) : undefined;
  return mayCreate?.ok === false ? mayCreate.reason : undefined;
}
