import {markReadProblem, muteActions, topicPolicyAction} from '#app/actions/mute-and-follow.ts';
import {paintedUnreadIds} from '#app/actions/painted-frame.ts';
import {changeProblem} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import {removalSentences} from '#app/inbox/removal-reason.ts';
import type {TriageItem} from '#app/inbox/triage-row.ts';
import type {PendingAction} from '#state/actions/reversible-actions.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {advancePast, performRowAction, pushNoOpUndo, triageTargets} from './perform-row-action.ts';

/** Why one row that stands for many is not done by the key for one. */
export const groupRowHint = 'This is a group · X marks all of it read, Enter shows it';

/** What several conversations are called together. */
function titleOf(items: readonly TriageItem[]): string {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only.label : `${items.length} conversations`;
}

export function markReadActions(ids: readonly number[]): readonly PendingAction[] {
  return ids.length === 0 ? [] : [{kind: 'flags', op: 'add', flag: 'read', ids}];
}

/** Read: exactly what was unread there when the key was pressed. Then the next. */
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

/** What was unread there is somewhere else by now, and still unread. */
function newLocationText({state}: App, items: readonly TriageItem[]): string | undefined {
  const {byId, conversations} = state.unreads;
  const places = items.flatMap(({oldestUnreadId}) => conversations.get(byId.get(oldestUnreadId) ?? '') ?? []);
  const [place] = places;
  return place === undefined ? undefined : `It is in ${conversationTitle(state, place.conversation)} now.`;
}

const nothingHere = 'No conversation is selected';

/** Mutes the topics and goes on; what is muted already is heard again. */
export function toggleInboxRowsMuted(app: App): void {
  const chosen = triageTargets(app);
  const topics = chosen.filter(({conversation}) => conversation.kind === 'topic');
  if (topics.length === 0) {
    const isOther = chosen.length > 0;
    app.toast(
      isOther ? 'Only topics can be muted here. Mute people from their profile.' : nothingHere,
      'warning',
    );
    return;
  }
  const mutes = topics.some(({isMuted}) => !isMuted);
  const items = topics.filter(({isMuted}) => isMuted !== mutes);
  const actions = items.flatMap(({conversation}) =>
    muteActions(app.state, {kind: 'conversation', conversation}, mutes),
  );
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

/** Follows the topics, or no longer; they stay where they are. */
export function toggleInboxRowsFollowed(app: App): void {
  const items = triageTargets(app);
  const topics = items.flatMap(({conversation}) => (conversation.kind === 'topic' ? [conversation] : []));
  if (topics.length === 0) {
    app.toast(items.length > 0 ? 'Only topics can be followed.' : nothingHere, 'warning');
    return;
  }
  const follows = items.some(({conversation, isFollowed}) => conversation.kind === 'topic' && !isFollowed);
  const policy = follows ? visibilityPolicies.followed : visibilityPolicies.none;
  const actions = topics.map(({channelId, topic}) => topicPolicyAction(channelId, topic, policy));
  const label = follows ? `Followed ${titleOf(items)}` : `Unfollowed ${titleOf(items)}`;
  const verb = follows ? 'followed' : 'other';
  const isDone = performRowAction(app, {
    actionKind: verb,
    keys: items.map(({key}) => key),
    actions,
    label,
    stays: true,
  });
  if (!isDone && changeProblem(app) === undefined) app.toast('That was done elsewhere already.');
}
