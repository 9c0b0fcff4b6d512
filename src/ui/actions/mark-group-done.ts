import {markOlderReadAction} from '#state/actions/mark-read.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {channelNarrow, everythingNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import type {App} from '#ui/core/app.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {askBeforeMany, markedReadLabel} from '#ui/inbox/actions/mark-inbox-group-done.ts';
import {performRowAction, pushNoOpUndo} from '#ui/inbox/actions/perform-row-action.ts';
import {markReadActions} from '#ui/inbox/actions/triage-actions.ts';
import {focusedList, type ListRow} from '#ui/lists/list-source.ts';
import {listSources} from '#ui/lists/list-sources.ts';
import {actAndAdvance} from '#ui/lists/move-in-list.ts';
import {confirm} from '#ui/overlays/picker.ts';
import {
  type ActionTarget,
  frameThatKeyRefersTo,
  paintedUnreadIds,
  rowThatKeyRefersTo,
  targetsOfRow,
} from './action-target.ts';
import {unreadConversationKeys} from './mark-done.ts';
import {offerToMarkOlderRead, reportOlderReadOutcome} from './mark-older-read.ts';

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
export function markWholeGroupDone(app: App, id: ListId): void {
  const row = rowThatKeyRefersTo(app, id);
  const group = row === undefined ? undefined : groupOfRow(app, id, row);
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
    actAndAdvance(app, id, () => markAllDone(ids), 'cursor');
    if (narrow !== undefined) offerToMarkOlderRead(app, name, narrow, upTo);
  });
}

function groupOfRow(app: App, id: ListId, row: ListRow): RowGroup | undefined {
  if (row.kind === 'title') {
    const frame = frameThatKeyRefersTo(app, id);
    const targets = listSources[id]
      .rows(frame)
      .flatMap((other) => (other.group === row.group ? targetsOfRow(frame.account, other) : []));
    return {keys: keysOf(app, targets), name: `everything in ${row.label}`, narrow: undefined};
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
    name: `#${channelName(app.state, channelId)}`,
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
    title: 'Mark all messages as read?',
    yes: `Mark ${oldMissing ? `${count} and older ones` : count} as read`,
    detail: `in ${countedNoun(keys.length, 'conversation')}, muted ones too`,
    onYes: (from) => markAllRead(from, unread),
  });
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
    stays: focusedList(app.screen) !== 'inbox',
  });
  if (isDone && older !== undefined) void reportOlderReadOutcome(app, older.id, 'everything');
}
