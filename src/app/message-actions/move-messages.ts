import {askServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {Picker, PickerRow} from '#app/core/overlay.ts';
import {shownConversation} from '#app/core/view.ts';
import {openConversation, quietly} from '#app/navigation/navigation.ts';
import {confirm} from '#app/overlays/confirm.ts';
import {changePickerField, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {emptyLine, setText} from '#app/text/text-field.ts';
import {type Move, moveMessages} from '#state/actions/move-messages.ts';
import {conversationOf} from '#state/messages/loaded-messages.ts';
import {type Conversation, sameConversation, type TopicConversation} from '#state/model/conversation.ts';
import type {ChannelMessage, Message} from '#state/model/message.ts';
import {narrowKey, topicNarrow} from '#state/model/narrow.ts';
import {channelName, conversationTitle, topicDisplay} from '#state/selectors/names/names.ts';
import {canMoveChannel, canMoveTopic} from '#state/selectors/permissions/message-permissions.ts';
import type {AccountState} from '#state/state.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {choiceOf, moveRows} from './move-destinations.ts';

export function moveProblem(app: App, message: Message): string | undefined {
  const now = app.clock.now();
  const toTopic = canMoveTopic(app.state, message, now);
  return toTopic.ok || canMoveChannel(app.state, message, now).ok ? undefined : toTopic.reason;
}

/** Asks where to, then how much of the topic goes. */
export function openMove(app: App, message: ChannelMessage): void {
  const {channelId, topic} = message;
  quietly(app, app.session.fetchTopics(channelId));
  openPicker(
    app,
    {
      id: 'move',
      title: `Move from ${conversationTitle(app.state, conversationOf(message))}`,
      placeholder: 'topic, or #channel',
      hint: 'Enter chooses · # another channel · Ctrl-U clears',
      empty: 'Write a topic, or # and a channel.',
      rows: (frame, query) => moveRows(frame, message, query),
      accept: (from, {key}) => {
        const choice = choiceOf(key);
        if (choice?.kind === 'channel') lookInto(from, choice.channelId);
        else if (choice !== undefined) {
          from.closeOverlay();
          askHowMuch(from, message, choice.conversation);
        }
      },
    },
    setText(emptyLine, topicDisplay(app.state, topic)),
  );
}

function lookInto(app: App, channelId: number): void {
  changePickerField(app, (field) => setText(field, `#${channelName(app.state, channelId)}>`));
  quietly(
    app,
    app.session.fetchTopics(channelId).then(() => refreshPicker(app, 'move')),
  );
}

const modes: readonly {readonly mode: PropagateMode; readonly label: string}[] = [
  {mode: 'change_one', label: 'Only this message'},
  {mode: 'change_later', label: 'This message and all later ones of the topic'},
  {mode: 'change_all', label: 'All messages of the topic'},
];

interface Notices {
  readonly old: boolean;
  readonly new: boolean;
}

/** How much goes, and who is told. */
function askHowMuch(app: App, message: ChannelMessage, to: TopicConversation): void {
  openPicker(app, howPicker(message, to, conversationTitle(app.state, to), {old: false, new: true}));
}

function howPicker(message: ChannelMessage, to: TopicConversation, title: string, notices: Notices): Picker {
  const choose = (from: App, key: string): boolean => {
    if (key === 'old' || key === 'new') {
      const changed = {...notices, [key]: !notices[key]};
      refreshPicker(from, 'move-how', howPicker(message, to, title, changed));
      return true;
    }
    const mode = modes.find((one) => one.mode === key)?.mode;
    if (mode === undefined) return false;
    from.closeOverlay();
    askIfMany(from, message, to, {mode, notices});
    return true;
  };
  return {
    id: 'move-how',
    title: `Move to ${title}`,
    isMenu: true,
    hint: 'o n whom to tell · Esc moves nothing',
    rows: ({account}) => howRows(account, message, notices),
    accept: (from, {key}) => void choose(from, key),
    onKey: (from, {name}) => choose(from, hotkeys.get(name) ?? ''),
  };
}

const hotkeys: ReadonlyMap<string, string> = new Map([
  ...modes.map(({mode}, at) => [String(at + 1), mode] as const),
  ['o', 'old'],
  ['n', 'new'],
]);

function howRows(account: AccountState, message: ChannelMessage, notices: Notices): readonly PickerRow[] {
  const box = (isOn: boolean, text: string) => `${isOn ? '[x]' : '[ ]'} ${text}`;
  return [
    ...modes.map(({mode, label}, at): PickerRow => {
      return {key: mode, label, detail: countText(countOf(account, message, mode)), right: String(at + 1)};
    }),
    {key: 'rule', label: '', isTitle: true},
    {key: 'new', label: box(notices.new, 'Say so in the new topic'), right: 'n'},
    {key: 'old', label: box(notices.old, 'Say so in the old topic'), right: 'o'},
  ];
}

function countText(count: number | undefined): string {
  return count === undefined ? '' : count === 1 ? '1 message' : `${count} messages`;
}

/** How many it would be; undefined when not all of them are known here. */
function countOf(account: AccountState, message: ChannelMessage, mode: PropagateMode): number | undefined {
  if (mode === 'change_one') return 1;
  const timeline = account.timelines.get(narrowKey(topicNarrow(message.channelId, message.topic)));
  if (timeline?.hasNewest !== true || (mode === 'change_all' && !timeline.hasOldest)) return undefined;
  const ids = timeline.ids.toArray();
  return mode === 'change_all' ? ids.length : ids.filter((id) => id >= message.id).length;
}

/** More than this is asked for once more: there is no exact way back. */
const mostUnasked = 20;

interface How {
  readonly mode: PropagateMode;
  readonly notices: Notices;
}

function askIfMany(app: App, message: ChannelMessage, to: TopicConversation, how: How): void {
  const count = countOf(app.state, message, how.mode);
  if (count !== undefined && count <= mostUnasked) {
    move(app, message, to, how);
    return;
  }
  const what = count === undefined ? 'the messages' : countText(count);
  confirm(app, {
    title: `Move ${what} to ${conversationTitle(app.state, to)}?`,
    yes: `Move ${what}`,
    detail: 'this cannot be undone exactly',
    onYes: (from) => move(from, message, to, how),
  });
}

function move(app: App, message: ChannelMessage, to: TopicConversation, {mode, notices}: How): void {
  send(app, conversationOf(message), to, {
    messageId: message.id,
    mode,
    ...(to.channelId !== message.channelId && {channelId: to.channelId}),
    ...(to.topic !== message.topic && {topic: to.topic}),
    notifyOldTopic: notices.old,
    notifyNewTopic: notices.new,
  });
}

function send(app: App, from: Conversation, to: TopicConversation, wanted: Move): void {
  const title = conversationTitle(app.state, to);
  askServer(app, {
    doing: `Moving to ${title}…`,
    ask: () => moveMessages(app.session.context, wanted),
    done: (outcome) => {
      if (outcome.kind === 'moved') {
        if (wanted.mode === 'change_all') followMoved(app, from, to);
        return `Moved to ${title}`;
      }
      confirm(app, {
        title: 'The older messages may not be moved any more',
        yes: `Move the newer ${outcome.movable} of ${outcome.total}`,
        onYes: (asked) => send(asked, from, to, outcome.instead),
      });
      return undefined;
    },
    failed: 'Not moved',
  });
}

/** Whoever looks at a conversation that went elsewhere goes with it. */
export function followMoved(app: App, from: Conversation, to: Conversation): void {
  const shown = shownConversation(app.screen);
  if (shown !== undefined && sameConversation(shown, from)) openConversation(app, to, {isRevisit: true});
}
