import type {App} from '#app/core/app.ts';
import {actAndAdvance} from '#app/lists/move-in-list.ts';
import {frameThatKeyRefersTo, rowThatKeyRefersTo} from '#app/lists/rows-of-key.ts';
import {confirm, confirmFetched, openPicker} from '#app/overlays/picker.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {type ActionTarget, paintedUnreadIds, targetsOfRow} from '#app/targets/action-target.ts';
import {
  changedNarrow,
  flagNarrow,
  markOlderReadAction,
  type NarrowFlagChange,
  narrowFlagInverse,
} from '#state/actions/mark-read.ts';
import type {NarrowMessages} from '#state/fetches/fetch-messages.ts';
import {narrowMessages} from '#state/fetches/queries.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {channelNarrow, everythingNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {composed, joined} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem, markReadProblem} from '#ui/core/change-problem.ts';
import type {MessagesView} from '#ui/core/frame.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {focusedList} from '#ui/list-table.ts';
import type {ListRow, ListSource} from '#ui/lists/list-source.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {unreadConversationKeys} from './mark-done.ts';
import {offerToMarkOlderRead, reportOlderReadOutcome} from './mark-older-read.ts';
import {askBeforeMany, markedReadLabel, markReadActions} from './mark-read.ts';
import {performRowAction, pushNoOpUndo} from './perform-row-action.ts';

/** A channel or a group of rows that can be marked done as a whole. */
interface RowGroup {
  readonly keys: readonly ConversationKey[];
  /** The name for the user. */
  readonly name: string;
  /** The narrow of the same messages on the server; undefined where no narrow matches them. */
  readonly narrow: Narrow | undefined;
}

/**
 * Marks the whole channel of the row under the cursor done; on a direct message all direct messages, on a
 * title its group. Asks first if several conversations have unread messages.
 */
export function markWholeGroupDone(app: App, list: ListSource): void {
  const row = rowThatKeyRefersTo(app, list);
  const group = row && groupOfRow(app, list, row);
  if (group === undefined) {
    app.toast('No conversation is selected', 'warning');
    return;
  }
  const {name, narrow} = group;
  const upTo = app.frames.paintedFrame.account.maxMessageId;
  const markAllDone = (ids: readonly number[]) => {
    const {byId} = app.state.unreads;
    const keys = [...new Set(ids.flatMap((messageId) => byId.get(messageId) ?? []))];
    const label = markedReadLabel(name, ids, keys);
    performRowAction(app, {actionKind: 'done', keys, actions: markReadActions(ids), label, stays: true});
    if (ids.length > 0) return;
    pushNoOpUndo(app, row === undefined ? [] : [row.key], name);
    app.toast('Nothing is unread there.');
  };
  askBeforeMany(app, name, paintedUnreadIds(app, group.keys), (ids) => {
    actAndAdvance(app, list, () => markAllDone(ids), 'cursor');
    if (narrow !== undefined) offerToMarkOlderRead(app, name, narrow, upTo);
  });
}

function groupOfRow(app: App, list: ListSource, row: ListRow): RowGroup | undefined {
  if (row.kind === 'title') {
    const frame = frameThatKeyRefersTo(app, list);
    const targets = list
      .rows(frame)
      .flatMap((other) => (other.group === row.group ? targetsOfRow(frame.account, other) : []));
    return {keys: keysOf(app, targets), name: composed`everything in ${row.label}`, narrow: undefined};
  }
  const [target] = targetsOfRow(app.state, row);
  if (target === undefined) return undefined;
  if (target.kind === 'channel') return wholeChannelGroup(app, target.channelId);
  const {conversation} = target;
  return conversation.kind === 'topic' ? wholeChannelGroup(app, conversation.channelId) : directsGroup(app);
}

function keysOf(app: App, targets: readonly ActionTarget[]): readonly ConversationKey[] {
  return [...new Set(targets.flatMap((target) => unreadConversationKeys(app, target)))];
}

function wholeChannelGroup(app: App, channelId: number): RowGroup {
  return {
    keys: keysOf(app, [{kind: 'channel', channelId}]),
    name: composed`#${channelName(app.state, channelId)}`,
    narrow: channelNarrow(channelId),
  };
}

function directsGroup({state}: App): RowGroup {
  const {conversations} = state.unreads;
  const directs = [...conversations.values()].filter(({conversation}) => conversation.kind === 'direct');
  return {keys: directs.map(({key}) => key), name: 'all direct messages', narrow: narrowIs('dm')};
}

/** What was unread on the screen when the user asked. */
interface UnreadOnScreen {
  readonly ids: readonly number[];
  readonly keys: readonly ConversationKey[];
  /** The newest message then, where the server may have older unread messages that it has not listed. */
  readonly olderUpTo: number | undefined;
}

/** Asks, and marks everything read that was unread when the user asked; later messages stay unread. */
export function askToMarkAllRead(app: App): void {
  const {account} = app.frames.paintedFrame;
  const ids = paintedUnreadIds(app, [...account.unreads.conversations.keys()]);
  const {byId, oldMissing} = app.state.unreads;
  const keys = [...new Set(ids.flatMap((id) => byId.get(id) ?? []))];
  if (ids.length === 0 && !oldMissing) {
    app.toast('Nothing is unread.');
    return;
  }
  const unread: UnreadOnScreen = {ids, keys, olderUpTo: oldMissing ? account.maxMessageId : undefined};
  const count = countedNoun(ids.length, 'unread message');
  confirm(app, {
    title: `Mark all messages${ofOrganization(app)} as read?`,
    yes: `Mark ${oldMissing ? `${count} and older ones` : count} as read`,
    detail: `in ${countedNoun(keys.length, 'conversation')}, muted ones too`,
    onYes: (from) => markAllRead(from, unread),
  });
}

/** With several organizations, a question about all messages says of which. */
function ofOrganization({frame, info}: App): string {
  return frame.organizations === undefined ? '' : composed` of ${info.accountName}`;
}

/** Marks known and older messages as one change, which one key undoes. */
function markAllRead(app: App, {ids, keys, olderUpTo}: UnreadOnScreen): void {
  const older =
    olderUpTo === undefined ? undefined : markOlderReadAction(app.session.context, everythingNarrow, olderUpTo);
  const isDone = performRowAction(app, {
    actionKind: 'done',
    keys,
    actions: [...markReadActions(ids), ...(older === undefined ? [] : [older])],
    label: markedReadLabel('everything', ids, keys),
    stays: focusedList(app.screen) !== inboxList,
  });
  if (isDone && older !== undefined) void reportOlderReadOutcome(app, older.id, 'everything');
}

interface FlagChoice extends NarrowFlagChange {
  readonly key: string;
  readonly label: string;
  /** Before the number of messages: `Mark 12 messages as read`. */
  readonly text: (count: string) => string;
  readonly done: (count: string) => string;
  readonly nothing: string;
}

const choices: readonly FlagChoice[] = [
  {
    key: 'r',
    op: 'add',
    flag: 'read',
    label: 'Mark all as read',
    text: (count) => `Mark ${count} as read`,
    done: (count) => `Marked ${count} read`,
    nothing: 'Nothing is unread here.',
  },
  {
    key: 'u',
    op: 'remove',
    flag: 'read',
    label: 'Mark all as unread',
    text: (count) => `Mark ${count} as unread`,
    done: (count) => `Marked ${count} unread`,
    nothing: 'Everything is unread here.',
  },
  {
    key: 's',
    op: 'add',
    flag: 'starred',
    label: 'Star all',
    text: (count) => `Star ${count}`,
    done: (count) => `Starred ${count}`,
    nothing: 'Everything is starred here.',
  },
  {
    key: 'x',
    op: 'remove',
    flag: 'starred',
    label: 'Remove all stars',
    text: (count) => `Remove the stars of ${count}`,
    done: (count) => `Removed the stars of ${count}`,
    nothing: 'Nothing is starred here.',
  },
];

/** Undo needs the ids of all changed messages, so more than this are refused. */
const maxMessages = 20_000;

/** Returns why the messages of the view cannot be marked. */
export function flagViewProblem(app: AppReader): string | undefined {
  if (app.screen.view.kind !== 'messages') return 'Open a conversation, a feed or a search first';
  return changeProblem(app);
}

/** Opens the menu that marks all messages of the shown view, on the server: also those that are not loaded. */
export function openFlagMenu(app: App): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  openPicker(app, {
    id: 'flag view',
    title: composed`All messages: ${viewTitle(app.frame, view)}`,
    isMenu: true,
    columns: 60,
    rows: () =>
      choices.map(({key, label, flag}) => {
        return {key, label, right: key, disabled: flag === 'read' ? markReadProblem(app) : undefined};
      }),
    accept: (from, {key}) => {
      from.closeOverlay();
      const choice = choices.find((one) => one.key === key);
      if (choice !== undefined) countAndAsk(from, view, choice);
    },
  });
}

/** Fetches which messages would change, and asks with their number. */
function countAndAsk(app: App, view: MessagesView, choice: FlagChoice): void {
  confirmFetched(app, {
    title: viewTitle(app.frame, view),
    progressText: 'Counting messages…',
    request: narrowMessages({narrow: changedNarrow(view.narrow, choice), maxCount: maxMessages}),
    question: (found) => {
      if (found.messages.length === 0) return choice.nothing;
      if (!found.isComplete) return `More than ${maxMessages} messages: narrow the search first.`;
      const yes = choice.text(countedNoun(found.messages.length, 'message'));
      return {yes, onYes: (from) => flagView(from, view, choice, found)};
    },
  });
}

/** Marks the counted messages; later ones are not changed. */
function flagView(app: App, view: MessagesView, choice: FlagChoice, {messages}: NarrowMessages): void {
  const {op, flag, text, done} = choice;
  const total = countedNoun(messages.length, 'message');
  requestFromServer(app, {
    progressText: `${text(total)}…`,
    send: () =>
      flagNarrow(app.session.context, view.narrow, choice, {
        upTo: messages.at(-1)?.id ?? 0,
        onBatch: (count) => app.toast(`${text(total)}: ${count} so far…`),
      }),
    doneText: ({updatedCount = messages.length, ignoredChannelIds}) => {
      const label = composed`${done(countedNoun(updatedCount, 'message'))}: ${viewTitle(app.frame, view)}`;
      app.undoStack.pushStep(label, {kind: 'change', inverse: narrowFlagInverse({op, flag}, messages)});
      return withUndoKey(composed`${label}${ignoredText(app, ignoredChannelIds)}`);
    },
    failureText: 'Not all messages were changed',
  });
}

/** Messages can be unread only in channels that the user is subscribed to. */
function ignoredText({state}: App, channelIds: readonly number[]): string {
  if (channelIds.length === 0) return '';
  const names = channelIds.map((id) => composed`#${channelName(state, id)}`);
  return composed`; not in ${joined(names)}: you are not subscribed`;
}
