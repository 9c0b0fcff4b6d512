import type {App} from '#app/core/app.ts';
import {frameThatKeyRefersTo} from '#app/lists/rows-of-key.ts';
import {openConversation} from '#app/navigation/navigation.ts';
import {paintedUnreadIds} from '#app/targets/action-target.ts';
import {offerToMarkOlderRead} from '#app/triage/mark-older-read.ts';
import {askBeforeMany, groupRowHint, markedReadLabel, markReadActions} from '#app/triage/mark-read.ts';
import {muteActions, topicPolicyAction, unmuteProblem} from '#app/triage/mute-and-follow.ts';
import {advancePast, performRowAction, pushNoOpUndo, triageTargets} from '#app/triage/perform-row-action.ts';
import type {ConversationKey} from '#state/model/conversation.ts';
import {channelNarrow, conversationNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {groupsByChannel, type InboxGroupId} from '#state/selectors/inbox/inbox.ts';
import {channelName, conversationTitle} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {changeProblem, markReadProblem} from '#ui/core/change-problem.ts';
import type {Frame} from '#ui/core/frame.ts';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {
  type CursorPreview,
  isAtConversationEnd,
  previewUnderCursor,
  triageItemUnderCursor,
} from '#ui/inbox/inbox-preview.ts';
import type {ViewedLines} from '#ui/inbox/inbox-state.ts';
import {isTriageItem, removalSentences, type TriageItem, type TriageRow} from '#ui/inbox/triage-row.ts';
import {inboxOrder, triageRows} from '#ui/inbox/triage-rows.ts';
import type {ListRow} from '#ui/lists/list-source.ts';
import {cursorRow, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {
  fetchNextPage,
  firstUnviewedMessage,
  isPreviewPainted,
  pageInboxPreview,
  setPreviewPosition,
  viewedLineCount,
  viewedSoFar,
} from './scroll-preview.ts';

/** Shown when messages that a key would mark read are not loaded. */
const readAnyway = 'e marks them read anyway';

/** Returns the name of one conversation, or the number of several. */
function titleOf(items: readonly TriageItem[]): string {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only.label : `${items.length} conversations`;
}

/** Marks exactly the painted unread messages of the rows read, and advances. */
export function markInboxRowsDone(app: App, items: readonly TriageItem[] = triageTargets(app)): void {
  const keys = items.map(({key}) => key);
  if (keys.length === 0) {
    app.toast(groupRowHint);
    return;
  }
  const problem = markReadProblem(app);
  if (problem !== undefined) {
    advancePast(app, keys);
    app.toast(problem, 'warning');
    return;
  }
  const ids = paintedUnreadIds(app, keys);
  const label = composed`Marked ${titleOf(items)} read (${ids.length})`;
  if (ids.length > 0) {
    performRowAction(app, {actionKind: 'done', keys, actions: markReadActions(ids), label});
  } else {
    pushNoOpUndo(app, keys, titleOf(items));
    advancePast(app, keys);
    app.toast(newLocationText(app, items) ?? removalSentences[items[0]?.removalReason ?? 'read']);
  }
}

/** Returns where the unread messages are now, when they were moved. */
function newLocationText({state}: App, items: readonly TriageItem[]): string | undefined {
  const {byId, conversations} = state.unreads;
  const targets = items.flatMap(({oldestUnreadId}) => conversations.get(byId.get(oldestUnreadId) ?? '') ?? []);
  const [target] = targets;
  return target && composed`Moved to ${conversationTitle(state, target.conversation)}.`;
}

/** Mutes the topics and advances; unmutes them when all are muted. */
export function toggleInboxRowsMuted(app: App): void {
  const topics = triageTargets(app).filter(({conversation}) => conversation.kind === 'topic');
  const mutes = topics.some(({isMuted}) => !isMuted);
  const items = topics.filter(({isMuted}) => isMuted !== mutes);
  const actions = items.flatMap(({conversation}) =>
    muteActions(app.state, {kind: 'conversation', conversation}, mutes),
  );
  if (app.warn(unmuteProblem(app, actions))) return;
  const label = composed`${mutes ? 'Muted' : 'Unmuted'} ${titleOf(items)}`;
  const keys = items.map(({key}) => key);
  if (actions.length === 0) {
    pushNoOpUndo(app, keys, titleOf(items));
    advancePast(app, keys);
    app.toast(mutes ? 'Already muted elsewhere.' : 'Already unmuted elsewhere.');
    return;
  }
  performRowAction(app, {actionKind: mutes ? 'muted' : 'other', keys, actions, label});
}

/** Follows or unfollows the topics; the cursor stays. */
export function toggleInboxRowsFollowed(app: App): void {
  const items = triageTargets(app);
  const topics = items.flatMap(({conversation}) => (conversation.kind === 'topic' ? [conversation] : []));
  const follows = items.some(({conversation, isFollowed}) => conversation.kind === 'topic' && !isFollowed);
  const policy = follows ? visibilityPolicies.followed : visibilityPolicies.none;
  const actions = topics.map(({channelId, topic}) => topicPolicyAction(channelId, topic, policy));
  const label = follows ? composed`Followed ${titleOf(items)}` : composed`Unfollowed ${titleOf(items)}`;
  const actionKind = follows ? 'followed' : 'other';
  const isDone = performRowAction(app, {
    actionKind,
    keys: items.map(({key}) => key),
    actions,
    label,
    stays: true,
  });
  if (!isDone && changeProblem(app) === undefined) app.toast('Already done elsewhere.');
}

/**
 * Shows the next page of the preview; at its end marks the conversation done. Only painted lines count: keys
 * that arrive faster than paints turn no page, and a conversation is done only when every line of its unread
 * messages was on screen.
 */
export function pageOrMarkDone(app: App): void {
  const row = triageItemUnderCursor(app.frame);
  if (row === undefined) {
    app.toast({text: 'This is a group', hint: 'Enter unfolds it, X marks all read'});
    return;
  }
  const preview = previewUnderCursor(app.frames.paintedFrame);
  if (previewUnderCursor(app.frame) === undefined) openConversation(app, row.conversation);
  else if (preview !== undefined && isPreviewPainted(app)) turnPage(app, preview);
}

function turnPage(app: App, preview: CursorPreview): void {
  const {row, shown} = preview;
  const viewed = viewedSoFar(app);
  const {conversations} = app.frames.paintedFrame.account.unreads;
  const unviewedId = firstUnviewedMessage(viewed, conversations.get(row.key)?.ids ?? []);
  if (shown.window === undefined) {
    fetchNextPage(app, row.conversation);
    app.toast({text: 'Messages still loading', hint: readAnyway}, 'warning');
  } else if (!isAtConversationEnd(shown)) {
    pageInboxPreview(app, 1);
    if (shown.window.isAtEnd) app.toast({text: 'Next messages still loading', hint: readAnyway}, 'warning');
  } else if (unviewedId !== undefined) {
    showMissedMessage(app, preview, viewed, unviewedId);
  } else if (app.settings.readOn === 'advance') {
    markInboxRowsDone(app, [row]);
  } else {
    app.toast({text: 'End of conversation', hint: 'e marks it read'});
  }
}

/**
 * Shows an unread message that was never on screen although the end is: it arrived meanwhile, or is above the
 * loaded messages.
 */
function showMissedMessage(app: App, {row, shown}: CursorPreview, viewed: ViewedLines, unviewedId: number): void {
  setPreviewPosition(app, {
    key: row.key,
    top: {id: unviewedId, skippedLines: viewedLineCount(viewed, unviewedId)},
    viewed,
  });
  if (shown.rows?.has(unviewedId) === true) {
    app.toast({text: 'Not shown before', hint: 'Space continues'});
    return;
  }
  app.session.timelines.open(conversationNarrow(row.conversation), unviewedId).catch(() => {});
  app.toast({text: 'Some messages still loading', hint: readAnyway}, 'warning');
}

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
  const frame = frameThatKeyRefersTo(app, inboxList);
  const at = cursorRow(frame, inboxList);
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
    name: composed`#${channelName(frame.account, channelId)}`,
    narrow: channelNarrow(channelId),
  };
}

/** Returns the rows of the list; of a filtered list only the matches. */
function shownItems(frame: Frame): readonly TriageItem[] {
  const isFiltered = frame.screen.lists.inbox.filter.text.trim() !== '';
  const rows: readonly ListRow[] = isFiltered ? visibleRowsOf(frame, inboxList).rows : triageRows(frame);
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

/** Returns the rows that contain some of these messages. */
function keysOf(
  {state, screen}: App,
  rows: readonly ConversationKey[],
  ids: readonly number[],
): readonly ConversationKey[] {
  const unreadKeys = new Set(ids.map((id) => state.unreads.byId.get(id)));
  return rows.filter((key) => unreadKeys.has(screen.inbox.order.currentKey(key)));
}
