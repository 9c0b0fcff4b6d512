import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type TopicConversation, topicConversation, topicKey} from '#state/model/conversation.ts';
import type {ChannelMessage, Message} from '#state/model/message.ts';
import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import {channelName, conversationTitle, topicDisplayName, topicFromText} from '#state/selectors/names/names.ts';
import {canCreateTopic, fitsTopicsPolicy} from '#state/selectors/permissions/channel-permissions.ts';
import {canMoveToChannel, canMoveToTopic} from '#state/selectors/permissions/message-permissions.ts';
import {type Permission, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {
  type ChannelAndTopic,
  channelDetail,
  findChannels,
  findTopics,
  parseChannelAndTopic,
  topicDetail,
} from '#ui/completion-menu/find-channels-and-topics.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {channelColor} from '#ui/format/conversation-name.ts';
import {changePickerField, confirm, openedPicker, openPicker, refreshPicker} from '#ui/overlays/picker.ts';
import {emptyLine, setText} from '#ui/text/text-field.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {isMerge, loadedMove, maxUndoableMerge, sendMove} from './send-move.ts';

export function moveProblem(app: AppReader, message: Message): string | undefined {
  const now = app.clock.now();
  const toTopic = canMoveToTopic(app.state, message, now);
  return toTopic.ok || canMoveToChannel(app.state, message, now).ok ? undefined : toTopic.reason;
}

/** Asks for the destination, then for how many messages of the topic move. */
export function openMovePicker(app: App, message: ChannelMessage): void {
  const {channelId, topic} = message;
  const prefilled = topicDisplayName(app.state, topic);
  openPicker(
    app,
    {
      id: 'move',
      title: `Move from ${conversationTitle(app.state, conversationOf(message))}`,
      placeholder: 'topic, or #channel',
      // After the prefilled topic, # means another channel; in a changed text it is part of the topic.
      hintFor: (query) =>
        query === prefilled || query === ''
          ? {Enter: 'chooses', '#': 'another channel', 'Ctrl-U': 'clears'}
          : {Enter: 'chooses', 'Ctrl-U': 'clears'},
      onKey: (from, {text}) => {
        if (text !== '#' || openedPicker(from)?.field.text !== prefilled) return false;
        changePickerField(from, (field) => setText(field, '#'));
        return true;
      },
      topicsOf: ({account}, query) => parseMoveTarget(account, query)?.channel.id ?? channelId,
      empty: 'Type a topic, or # and a channel',
      rows: (frame, query) => moveDestinationRows(frame, message, query),
      accept: (from, {key}) => {
        const choice = parseMoveChoice(key);
        if (choice?.kind === 'channel') showChannelTopics(from, choice.channelId, prefilled);
        else if (choice !== undefined) {
          from.closeOverlay();
          openMoveScopePicker(from, message, choice.conversation);
        }
      },
    },
    setText(emptyLine, prefilled),
  );
}

/** Continues in another channel with the name of the topic, which most moves keep. */
function showChannelTopics(app: App, channelId: number, topic: string): void {
  changePickerField(app, (field) => setText(field, `#${channelName(app.state, channelId)}>${topic}`));
}

const modes: readonly {readonly mode: PropagateMode; readonly label: string}[] = [
  {mode: 'change_one', label: 'Only this message'},
  {mode: 'change_later', label: 'This message and all later ones of the topic'},
  {mode: 'change_all', label: 'All messages of the topic'},
];

interface MoveNotices {
  readonly old: boolean;
  readonly new: boolean;
}

/** Asks how many messages move and which topics are notified. */
function openMoveScopePicker(app: App, message: ChannelMessage, to: TopicConversation): void {
  openPicker(app, scopePicker(message, to, conversationTitle(app.state, to), {old: false, new: true}));
}

function scopePicker(message: ChannelMessage, to: TopicConversation, title: string, notices: MoveNotices): Picker {
  return {
    id: 'move-how',
    title: `Move to ${title}`,
    isMenu: true,
    hint: {'o, n': 'toggle the notices', Esc: 'cancels'},
    rows: ({account}) => scopeRows(account, message, to, notices),
    accept: (from, {key}) => {
      if (key === 'old' || key === 'new') {
        const changed = {...notices, [key]: !notices[key]};
        refreshPicker(from, 'move-how', scopePicker(message, to, title, changed));
        return;
      }
      const mode = modes.find((one) => one.mode === key)?.mode;
      if (mode === undefined) return;
      from.closeOverlay();
      confirmIfMany(from, message, to, {mode, notices});
    },
  };
}

function scopeRows(
  account: AccountState,
  message: ChannelMessage,
  to: TopicConversation,
  notices: MoveNotices,
): readonly PickerRow[] {
  const box = (isOn: boolean, text: string) => `${isOn ? '[x]' : '[ ]'} ${text}`;
  const from = topicOf(message);
  return [
    ...(isMerge(account, from, to) ? [{key: 'merge', label: mergeText, isTitle: true} as const] : []),
    ...modes.map(({mode, label}, at): PickerRow => {
      const count = loadedMove(account, from, {messageId: message.id, mode})?.length;
      return {key: mode, label, detail: countText(count), right: String(at + 1)};
    }),
    {key: 'rule', label: '', isTitle: true},
    {key: 'new', label: box(notices.new, 'Notify the new topic'), right: 'n'},
    {key: 'old', label: box(notices.old, 'Notify the old topic'), right: 'o'},
  ];
}

const mergeText = 'Merges into an existing topic';

function topicOf({channelId, topic}: ChannelMessage): TopicConversation {
  return topicConversation(channelId, topic);
}

function countText(count: number | undefined): string {
  return count === undefined ? '' : count === 1 ? '1 message' : `${count} messages`;
}

/** Moving more messages needs a confirmation. */
const maxUnconfirmed = 20;

interface MoveOptions {
  readonly mode: PropagateMode;
  readonly notices: MoveNotices;
}

function confirmIfMany(app: App, message: ChannelMessage, to: TopicConversation, options: MoveOptions): void {
  const count = loadedMove(app.state, topicOf(message), {messageId: message.id, mode: options.mode})?.length;
  if (count !== undefined && count <= maxUnconfirmed) {
    move(app, message, to, options);
    return;
  }
  const isUndoable = (count !== undefined && count <= maxUndoableMerge) || !isMerge(app.state, topicOf(message), to);
  const countLabel = count === undefined ? 'the messages' : countText(count);
  confirm(app, {
    title: `Move ${countLabel} to ${conversationTitle(app.state, to)}?`,
    yes: `Move ${countLabel}`,
    ...(!isUndoable && {detail: 'This cannot be undone'}),
    onYes: (from) => move(from, message, to, options),
  });
}

function move(app: App, message: ChannelMessage, to: TopicConversation, {mode, notices}: MoveOptions): void {
  sendMove(app, topicOf(message), to, {
    messageId: message.id,
    mode,
    ...(to.channelId !== message.channelId && {channelId: to.channelId}),
    ...(to.topic !== message.topic && {topic: to.topic}),
    notifyOldTopic: notices.old,
    notifyNewTopic: notices.new,
  });
}

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
      label: `#${channel.name}`,
      tint: channelColor(account, channel.id),
      matched: ranges.map(([from, to]) => [from + 1, to + 1] as const),
      detail: channelDetail(account, channel),
      disabled: refusalReason(permission),
    };
  });
}

/** Parses `#channel>topic`; undefined without a `>` after the name of a channel. */
function parseMoveTarget(account: AccountState, query: string): ChannelAndTopic | undefined {
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
  const permission = permissionTo(frame, message, channelId);
  const disabled = refusalReason(permission);
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
  const fits = channel === undefined ? undefined : fitsTopicsPolicy(account, channel, topic);
  if (fits?.ok === false) return fits.reason;
  const mayCreate = isNew ? canCreateTopic(account, channelId, minute) : undefined;
  return mayCreate?.ok === false ? mayCreate.reason : undefined;
}
