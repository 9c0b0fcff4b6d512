import type {ConversationKey} from '#state/model/conversation.ts';
import {channelNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import type {InboxGroupId} from '#state/selectors/inbox/inbox.ts';
import {groupsByChannel} from '#state/selectors/inbox/inbox.ts';
import {channelName, conversationRowTitle} from '#state/selectors/names/names.ts';
import {frameThatKeyRefersTo, paintedUnreadIds} from '#ui/actions/action-target.ts';
import {offerToMarkOlderRead} from '#ui/actions/mark-older-read.ts';
import {markReadProblem} from '#ui/actions/mute-and-follow.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {isTriageItem, type TriageItem, type TriageRow} from '#ui/inbox/triage-row.ts';
import {inboxOrder, triageRows} from '#ui/inbox/triage-rows.ts';
import type {ListRow} from '#ui/lists/list-source.ts';
import {cursorRow, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {confirm} from '#ui/overlays/picker.ts';
import {performRowAction, pushNoOpUndo} from './perform-row-action.ts';
import {markReadActions} from './triage-actions.ts';

const groupNames: Readonly<Record<InboxGroupId, string>> = {
  mentions: 'all mentions',
  direct: 'all direct messages',
  followed: 'all followed topics',
  pinned: 'all pinned channels',
  channels: 'all channels',
  muted: 'everything muted',
};

const groupNarrows: Readonly<Partial<Record<InboxGroupId, Narrow>>> = {
  mentions: narrowIs('mentioned'),
  direct: narrowIs('dm'),
  followed: narrowIs('followed'),
};

/**
 * Returns the whole that the row under the cursor belongs to: for a topic its channel, otherwise its group; for a title
 * its group. `name`: the name for the user. `narrow`: the narrow of the same messages on the server; undefined where no
 * narrow matches them.
 */
function groupUnderCursor(app: App) {
  const frame = frameThatKeyRefersTo(app, 'inbox');
  const at = cursorRow(frame, 'inbox');
  const row = triageRows(frame).find(({key}) => key === at?.key);
  if (row?.inboxGroup === undefined) return undefined;
  const isFlat = inboxOrder(frame).sort !== 'priority' && row.inboxGroup !== 'muted';
  const isBeside = ({inboxGroup}: TriageItem) => inboxGroup === row.inboxGroup || (isFlat && inboxGroup !== 'muted');
  const shown = shownItems(frame).filter(isBeside);
  const channelId = channelOf(row, isFlat);
  if (channelId === undefined) {
    // Where the groups are one list, a row without a channel is a direct message.
    const group = isFlat ? 'direct' : row.inboxGroup;
    const items = isFlat ? shown.filter(({conversation}) => conversation.kind === 'direct') : shown;
    return {items, name: groupNames[group], narrow: groupNarrows[group]};
  }
  return {
    items: shown.filter((item) => channelOf(item, isFlat) === channelId),
    name: `#${channelName(frame.account, channelId)}`,
    narrow: channelNarrow(channelId),
  };
}

/** Returns the rows of the list; of a filtered list only the matches. */
function shownItems(frame: Frame): readonly TriageItem[] {
  const isFiltered = frame.screen.lists.inbox.filter.text.trim() !== '';
  const rows: readonly ListRow[] = isFiltered ? visibleRowsOf(frame, 'inbox').rows : triageRows(frame);
  return rows.filter(isTriageItem);
}

function channelOf(row: TriageRow, isFlat: boolean): number | undefined {
  if (row.kind !== 'item' || row.conversation.kind !== 'topic') return undefined;
  return isFlat || groupsByChannel.has(row.inboxGroup) ? row.conversation.channelId : undefined;
}

/**
 * Marks the whole channel or group done: exactly the messages that the painted frame had as unread there. Asks first if they
 * are in several conversations.
 */
export function markInboxGroupDone(app: App): void {
  const problem = markReadProblem(app);
  const group = groupUnderCursor(app);
  if (problem !== undefined || group === undefined) {
    app.toast(problem ?? 'No row is selected', 'warning');
    return;
  }
  const {name, narrow} = group;
  const rows = group.items.map(({key}) => key);
  const painted = paintedUnreadIds(app, rows);
  const upTo = app.frames.paintedFrame.account.maxMessageId;
  askBeforeMany(app, name, painted, (ids) => {
    const keys = keysOf(app, rows, ids);
    const label = markedReadLabel(name, ids, keys);
    performRowAction(app, {
      actionKind: 'done',
      keys,
      actions: markReadActions(ids),
      label,
      keepsSelected: true,
    });
    if (ids.length === 0) {
      pushNoOpUndo(app, [], name);
      app.toast('Already read elsewhere.');
    }
    if (narrow !== undefined) offerToMarkOlderRead(app, name, narrow, upTo);
  });
}

const maxNames = 3;

/**
 * Asks before messages of several conversations are marked read. `mark` receives those that are still unread when the user
 * agrees.
 */
export function askBeforeMany(
  app: App,
  name: string,
  ids: readonly number[],
  mark: (ids: readonly number[]) => void,
): void {
  const {byId, conversations} = app.state.unreads;
  const keys = [...new Set(ids.flatMap((id) => byId.get(id) ?? []))];
  if (keys.length < 2) {
    mark(ids);
    return;
  }
  const titles = keys.slice(0, maxNames).flatMap((key) => {
    const conversation = conversations.get(key)?.conversation;
    return conversation === undefined ? [] : [conversationRowTitle(app.state, conversation)];
  });
  const more = keys.length > maxNames ? ` and ${keys.length - maxNames} more` : '';
  // Groups of several organizations may have one title: only those of this account are meant.
  const where = app.frame.organizations === undefined ? name : `${name} of ${app.info.accountName}`;
  confirm(app, {
    title: `Mark ${where} read: ${keys.length} conversations?`,
    yes: `Mark ${countedNoun(ids.length, 'message')} read`,
    detail: `${titles.join(', ')}${more}`,
    onYes: () => mark(ids.filter((id) => app.state.unreads.byId.has(id))),
  });
}

/** Returns the rows that contain some of these messages. */
function keysOf(
  {state, screen}: App,
  rows: readonly ConversationKey[],
  ids: readonly number[],
): readonly ConversationKey[] {
  const unreadKeys = new Set(ids.map((id) => state.unreads.byId.get(id)));
  return rows.filter((key) => unreadKeys.has(screen.inbox.order.currentKey(key)));
}

/** Returns the label: how many messages were marked read, and in how many conversations. */
export function markedReadLabel(name: string, ids: readonly number[], keys: readonly ConversationKey[]): string {
  const count = keys.length === 1 ? '1 conversation' : `${keys.length} conversations`;
  return `Marked ${name} read (${ids.length} in ${count})`;
}
