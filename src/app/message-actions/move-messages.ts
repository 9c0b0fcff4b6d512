import type {App} from '#app/core/app.ts';
import {changePickerField, confirm, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type TopicConversation, topicConversation} from '#state/model/conversation.ts';
import type {ChannelMessage, Message} from '#state/model/message.ts';
import {channelName, conversationTitle, topicDisplayName} from '#state/selectors/names/names.ts';
import {canMoveToChannel, canMoveToTopic} from '#state/selectors/permissions/message-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Picker, PickerRow} from '#ui/core/overlay.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {emptyLine, setText} from '#ui/text/text-field.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {moveDestinationRows, parseMoveChoice, parseMoveTarget} from './move-destinations.ts';
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
      title: composed`Move from ${conversationTitle(app.state, conversationOf(message))}`,
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
    title: composed`Move to ${title}`,
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
  return count === undefined ? '' : countedNoun(count, 'message');
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
    title: composed`Move ${countLabel} to ${conversationTitle(app.state, to)}?`,
    yes: composed`Move ${countLabel}`,
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
