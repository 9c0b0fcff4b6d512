import type {App} from '#app/core/app.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {changePickerField, confirm, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {type MoveRequest, moveMessages} from '#state/actions/messages.ts';
import {fetchPage, messagesRequest} from '#state/fetches/fetch-page.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {
  type Conversation,
  conversationKey,
  sameConversation,
  type TopicConversation,
  topicConversation,
  topicKey,
} from '#state/model/conversation.ts';
import type {ChannelMessage, Message} from '#state/model/message.ts';
import {conversationNarrow, narrowKey} from '#state/model/narrow.ts';
import {topicExists} from '#state/selectors/lists/conversation-rows.ts';
import {channelName, conversationTitle, topicDisplayName, topicFromText} from '#state/selectors/names/names.ts';
import {canCreateTopic, fitsTopicsPolicy} from '#state/selectors/permissions/channel-permissions.ts';
import {canMoveToChannel, canMoveToTopic} from '#state/selectors/permissions/message-permissions.ts';
import {type Permission, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {type Frame, shownConversation} from '#ui/core/frame.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {channelColor} from '#ui/format/conversation-name.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {
  type ChannelAndTopic,
  channelDetail,
  findChannels,
  findTopics,
  parseChannelAndTopic,
  topicDetail,
} from '#ui/search/find-channels-and-topics.ts';
import {emptyLine, setText} from '#ui/text/text-field.ts';
import type {PropagateMode} from '#wire/objects/message.ts';

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
  const fits = channel === undefined ? undefined : fitsTopicsPolicy(account, channel, topic);
  if (fits?.ok === false) return fits.reason;
  const mayCreate = isNew ? canCreateTopic(account, channelId, minute) : undefined;
  return mayCreate?.ok === false ? mayCreate.reason : undefined;
}

/** Undo moves merged messages back one by one; more of them would exceed a server's rate limit. */
const maxUndoableMerge = 100;

/** Whether the moved messages join messages of another topic. */
function isMerge(account: AccountState, from: TopicConversation, to: TopicConversation): boolean {
  return conversationKey(from) !== conversationKey(to) && topicExists(account, to.channelId, to.topic) === true;
}

/** Returns the messages that would move, oldest first; undefined when not all of them are loaded. */
function loadedMove(
  account: AccountState,
  from: TopicConversation,
  {messageId, mode}: {readonly messageId: number; readonly mode: PropagateMode},
): readonly number[] | undefined {
  if (mode === 'change_one') return [messageId];
  const timeline = account.timelines.get(narrowKey(conversationNarrow(from)));
  if (timeline?.hasNewest !== true || (mode === 'change_all' && !timeline.hasOldest)) return undefined;
  const ids = timeline.ids.toArray();
  return mode === 'change_all' ? ids : ids.filter((id) => id >= messageId);
}

const tooManyMergedText = `Not undone: more than ${maxUndoableMerge} messages were merged into a topic that existed before`;

/** Moves messages and records an undo. */
function sendMove(app: App, from: TopicConversation, to: TopicConversation, request: MoveRequest): void {
  const title = conversationTitle(app.state, to);
  requestFromServer(app, {
    progressText: `Moving to ${title}…`,
    send: async () => {
      // Whether the topic exists decides what undo has to do, so the list of topics must be complete.
      await app.session.fetchTopics(to.channelId);
      const isMerged = isMerge(app.state, from, to);
      // The messages that undo has to move one by one; none for a whole topic that got a new name.
      const moved = isMerged || request.mode === 'change_later' ? await movedIds(app, from, request) : [];
      return {outcome: await moveMessages(app.session.context, request), isMerged, moved};
    },
    doneText: ({outcome, isMerged, moved}) => {
      if (outcome.kind === 'moved') {
        if (request.mode === 'change_all') showMovedConversation(app, from, to);
        const label = isMerged ? `Merged into ${title}` : `Moved to ${title}`;
        const isTooMany = moved.length > maxUndoableMerge;
        if (isMerged && isTooMany) {
          app.undoStack.pushPermanent(label, {problem: tooManyMergedText});
          return label;
        }
        const {messageId, mode} = request;
        // Moved back together, the messages are followed by the server's notice about the move.
        const merged = isTooMany ? [] : moved;
        app.undoStack.pushStep(label, {kind: 'move', from, to, messageId, mode, merged});
        return withUndoKey(label);
      }
      confirm(app, {
        title: 'The older messages can no longer be moved',
        yes: `Move the newer ${outcome.movable} of ${outcome.total}`,
        onYes: (confirmed) => sendMove(confirmed, from, to, outcome.partialMove),
      });
      return undefined;
    },
    failureText: 'Not moved',
  });
}

/** Returns the messages that are about to be moved, with one more than can be undone if there are more. */
async function movedIds(app: App, from: TopicConversation, request: MoveRequest): Promise<readonly number[]> {
  const loaded = loadedMove(app.state, from, request);
  if (loaded !== undefined) return loaded;
  const {context} = app.session;
  const send = messagesRequest(context, {
    anchor: request.mode === 'change_all' ? 'oldest' : request.messageId,
    num_before: 0,
    num_after: maxUndoableMerge + 1,
    narrow: [...conversationNarrow(from)],
  });
  return (await fetchPage(context, {send}, context.signal)).map(({id}) => id);
}

/** The number of notices of the server that may be in a topic beside moved messages. */
const maxNotices = 10;

/** Returns whether the topic would have nothing but the server's notices about moves without the given messages. */
export async function hasOnlyNoticesBeside(
  app: App,
  topic: TopicConversation,
  ids: readonly number[],
): Promise<boolean> {
  const {context} = app.session;
  const num_after = ids.length + maxNotices;
  const narrow = [...conversationNarrow(topic)];
  const send = messagesRequest(context, {anchor: 'oldest', num_before: 0, num_after, narrow});
  const page = await fetchPage(context, {send}, context.signal);
  const isNotice = ({senderId}: Message) => app.state.users.get(senderId)?.isSystemBot === true;
  return page.length < num_after && page.every((message) => ids.includes(message.id) || isNotice(message));
}

/** Opens the conversation's new location if the user is looking at the old one. */
export function showMovedConversation(app: App, from: Conversation, to: Conversation): void {
  const shown = shownConversation(app.screen);
  if (shown !== undefined && sameConversation(shown, from)) openConversation(app, to, {isRevisit: true});
}
