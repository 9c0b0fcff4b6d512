import type {PendingAction} from '#state/actions/reversible-actions.ts';
import {conversationNarrow} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {paintedUnreadIds} from '#ui/actions/action-target.ts';
import {markReadProblem, muteActions, topicPolicyAction, unmuteProblem} from '#ui/actions/mute-and-follow.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {
  type CursorPreview,
  fetchNextPage,
  firstUnviewedMessage,
  isAtConversationEnd,
  isPreviewPainted,
  pageInboxPreview,
  previewUnderCursor,
  setPreviewPosition,
  triageItemUnderCursor,
  viewedLineCount,
  viewedSoFar,
} from '#ui/inbox/inbox-preview.ts';
import type {ViewedLines} from '#ui/inbox/inbox-state.ts';
import {removalSentences, type TriageItem} from '#ui/inbox/triage-row.ts';
import {openConversation} from '#ui/navigation/navigation.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {advancePast, performRowAction, pushNoOpUndo, triageTargets} from './perform-row-action.ts';

/** Shown when a key for one conversation is pressed on a group's title. */
export const groupRowHint = {text: 'This is a group', hint: 'X marks all read, Enter unfolds it'};

/** Shown when messages that a key would mark read are not loaded. */
const readAnyway = 'e marks them read anyway';

/** Returns the name of one conversation, or the number of several. */
function titleOf(items: readonly TriageItem[]): string {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only.label : `${items.length} conversations`;
}

/** Returns the actions that mark messages read; none without messages. */
export function markReadActions(ids: readonly number[]): readonly PendingAction[] {
  return ids.length === 0 ? [] : [{kind: 'flags', op: 'add', flag: 'read', ids}];
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
  const label = `Marked ${titleOf(items)} read (${ids.length})`;
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
  return target === undefined ? undefined : `Moved to ${conversationTitle(state, target.conversation)}.`;
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
  const label = `${mutes ? 'Muted' : 'Unmuted'} ${titleOf(items)}`;
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
  const label = follows ? `Followed ${titleOf(items)}` : `Unfollowed ${titleOf(items)}`;
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
