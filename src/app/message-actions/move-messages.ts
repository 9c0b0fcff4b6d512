import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {Picker, PickerRow} from '#app/core/overlay.ts';
import {shownConversation} from '#app/core/view.ts';
import {ignoreFailure, openConversation} from '#app/navigation/navigation.ts';
import {confirm} from '#app/overlays/confirm.ts';
import {changePickerField, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {emptyLine, setText} from '#app/text/text-field.ts';
import {type MoveRequest, moveMessages} from '#state/actions/move-messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, sameConversation, type TopicConversation} from '#state/model/conversation.ts';
import type {ChannelMessage, Message} from '#state/model/message.ts';
import {narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {channelName, conversationTitle, topicDisplayName} from '#state/selectors/names/names.ts';
import {canMoveToChannel, canMoveToTopic} from '#state/selectors/permissions/message-permissions.ts';
import type {AccountState} from '#state/state.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {moveDestinationRows, parseMoveChoice} from './move-destinations.ts';

export function moveProblem(app: App, message: Message): string | undefined {
  const now = app.clock.now();
  const toTopic = canMoveToTopic(app.state, message, now);
  return toTopic.ok || canMoveToChannel(app.state, message, now).ok ? undefined : toTopic.reason;
}

/** Asks for the destination, then for how many messages of the topic move. */
export function openMovePicker(app: App, message: ChannelMessage): void {
  const {channelId, topic} = message;
  ignoreFailure(app, app.session.fetchTopics(channelId));
  openPicker(
    app,
    {
      id: 'move',
      title: `Move from ${conversationTitle(app.state, conversationOf(message))}`,
      placeholder: 'topic, or #channel',
      hint: 'Enter chooses · # for another channel · Ctrl-U clears',
      empty: 'Type a topic, or # and a channel',
      rows: (frame, query) => moveDestinationRows(frame, message, query),
      accept: (from, {key}) => {
        const choice = parseMoveChoice(key);
        if (choice?.kind === 'channel') showChannelTopics(from, choice.channelId);
        else if (choice !== undefined) {
          from.closeOverlay();
          openMoveScopePicker(from, message, choice.conversation);
        }
      },
    },
    setText(emptyLine, topicDisplayName(app.state, topic)),
  );
}

function showChannelTopics(app: App, channelId: number): void {
  changePickerField(app, (field) => setText(field, `#${channelName(app.state, channelId)}>`));
  ignoreFailure(
    app,
    app.session.fetchTopics(channelId).then(() => refreshPicker(app, 'move')),
  );
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
  const choose = (from: App, key: string): boolean => {
    if (key === 'old' || key === 'new') {
      const changed = {...notices, [key]: !notices[key]};
      refreshPicker(from, 'move-how', scopePicker(message, to, title, changed));
      return true;
    }
    const mode = modes.find((one) => one.mode === key)?.mode;
    if (mode === undefined) return false;
    from.closeOverlay();
    confirmIfMany(from, message, to, {mode, notices});
    return true;
  };
  return {
    id: 'move-how',
    title: `Move to ${title}`,
    isMenu: true,
    hint: 'o, n toggle the notices · Esc cancels',
    rows: ({account}) => scopeRows(account, message, notices),
    accept: (from, {key}) => void choose(from, key),
    onKey: (from, {name}) => choose(from, hotkeys.get(name) ?? ''),
  };
}

const hotkeys: ReadonlyMap<string, string> = new Map([
  ...modes.map(({mode}, at) => [String(at + 1), mode] as const),
  ['o', 'old'],
  ['n', 'new'],
]);

function scopeRows(account: AccountState, message: ChannelMessage, notices: MoveNotices): readonly PickerRow[] {
  const box = (isOn: boolean, text: string) => `${isOn ? '[x]' : '[ ]'} ${text}`;
  return [
    ...modes.map(({mode, label}, at): PickerRow => {
      return {key: mode, label, detail: countText(countOf(account, message, mode)), right: String(at + 1)};
    }),
    {key: 'rule', label: '', isTitle: true},
    {key: 'new', label: box(notices.new, 'Notify the new topic'), right: 'n'},
    {key: 'old', label: box(notices.old, 'Notify the old topic'), right: 'o'},
  ];
}

function countText(count: number | undefined): string {
  return count === undefined ? '' : count === 1 ? '1 message' : `${count} messages`;
}

/** Returns the number of messages that would move; undefined when not all of them are loaded. */
function countOf(account: AccountState, message: ChannelMessage, mode: PropagateMode): number | undefined {
  if (mode === 'change_one') return 1;
  const timeline = account.timelines.get(narrowKey(topicNarrow(message.channelId, message.topic)));
  if (timeline?.hasNewest !== true || (mode === 'change_all' && !timeline.hasOldest)) return undefined;
  const ids = timeline.ids.toArray();
  return mode === 'change_all' ? ids.length : ids.filter((id) => id >= message.id).length;
}

/** Moving more messages needs a confirmation, because it cannot be undone exactly. */
const maxUnconfirmed = 20;

interface MoveOptions {
  readonly mode: PropagateMode;
  readonly notices: MoveNotices;
}

function confirmIfMany(app: App, message: ChannelMessage, to: TopicConversation, options: MoveOptions): void {
  const count = countOf(app.state, message, options.mode);
  if (count !== undefined && count <= maxUnconfirmed) {
    move(app, message, to, options);
    return;
  }
  const countLabel = count === undefined ? 'the messages' : countText(count);
  confirm(app, {
    title: `Move ${countLabel} to ${conversationTitle(app.state, to)}?`,
    yes: `Move ${countLabel}`,
    detail: 'This cannot be undone exactly',
    onYes: (from) => move(from, message, to, options),
  });
}

function move(app: App, message: ChannelMessage, to: TopicConversation, {mode, notices}: MoveOptions): void {
  send(app, conversationOf(message), to, {
    messageId: message.id,
    mode,
    ...(to.channelId !== message.channelId && {channelId: to.channelId}),
    ...(to.topic !== message.topic && {topic: to.topic}),
    notifyOldTopic: notices.old,
    notifyNewTopic: notices.new,
  });
}

function send(app: App, from: Conversation, to: TopicConversation, request: MoveRequest): void {
  const title = conversationTitle(app.state, to);
  requestFromServer(app, {
    progressText: `Moving to ${title}…`,
    send: () => moveMessages(app.session.context, request),
    doneText: (outcome) => {
      if (outcome.kind === 'moved') {
        if (request.mode === 'change_all') showMovedConversation(app, from, to);
        return `Moved to ${title}`;
      }
      confirm(app, {
        title: 'The older messages can no longer be moved',
        yes: `Move the newer ${outcome.movable} of ${outcome.total}`,
        onYes: (confirmed) => send(confirmed, from, to, outcome.partialMove),
      });
      return undefined;
    },
    failureText: 'Not moved',
  });
}

/** Opens the conversation's new location if the user is looking at the old one. */
export function showMovedConversation(app: App, from: Conversation, to: Conversation): void {
  const shown = shownConversation(app.screen);
  if (shown !== undefined && sameConversation(shown, from)) openConversation(app, to, {isRevisit: true});
}
