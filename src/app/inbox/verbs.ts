import type {App} from '#app/app.ts';
import {openConversation} from '#app/navigation.ts';
import {mutingAction, policyAction, readingProblem} from '#app/verbs.ts';
import type {ReversibleAction} from '#state/actions/reversible.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {act, chosenItems, seenUnread, skip} from './acting.ts';
import {isAtEnd, pagePreview, previewNow, triagedRow} from './preview.ts';
import type {TriageItem} from './triage-row.ts';

/** What several conversations are called together. */
function titleOf(items: readonly TriageItem[]): string {
  const [only] = items;
  return items.length === 1 && only !== undefined ? only.label : `${items.length} conversations`;
}

export function readAction(ids: readonly number[]): readonly ReversibleAction[] {
  return ids.length === 0 ? [] : [{kind: 'flags', op: 'add', flag: 'read', ids}];
}

/** Read: exactly what was unread there when the key was pressed. Then the next. */
export function markDone(app: App, items: readonly TriageItem[] = chosenItems(app.frame)): void {
  const keys = items.map(({key}) => key);
  if (keys.length === 0) {
    app.toast('This is a group · X marks all of it read, Enter shows it');
    return;
  }
  const problem = readingProblem(app);
  if (problem !== undefined) {
    skip(app, keys);
    app.toast(problem, 'warning');
    return;
  }
  const ids = seenUnread(app, keys);
  const label = `Marked ${titleOf(items)} read (${ids.length})`;
  if (ids.length > 0) {
    act(app, {verb: 'done', keys, actions: readAction(ids), label});
  } else {
    skip(app, keys);
    app.toast('Already read elsewhere.');
  }
}

/** The next page of the preview; at its end, done. What was not in sight is not marked. */
export function readOn(app: App): void {
  const now = previewNow(app.frame);
  if (now === undefined) {
    const row = triagedRow(app.frame);
    if (row !== undefined) openConversation(app, row.conversation);
    return;
  }
  const {row, shown} = now;
  if (shown.window === undefined) {
    app.toast('These messages are not here yet · e marks them read all the same', 'warning');
  } else if (!isAtEnd(shown)) {
    pagePreview(app, 1);
    if (shown.window.isAtEnd)
      app.toast('What follows is not here yet · e marks it read all the same', 'warning');
  } else if (app.settings.readOn === 'advance') {
    markDone(app, [row]);
  } else {
    app.toast('This is the end · e done');
  }
}

/** Mutes the topics and goes on; what is muted already is heard again. */
export function muteRows(app: App): void {
  const topics = chosenItems(app.frame).filter(({conversation}) => conversation.kind === 'topic');
  if (topics.length === 0) {
    app.toast('Only topics can be muted here; people, from their card.', 'warning');
    return;
  }
  const mutes = topics.some(({inGroup}) => inGroup !== 'muted');
  const items = topics.filter(({inGroup}) => (inGroup === 'muted') !== mutes);
  const actions = items.flatMap(({conversation}) =>
    mutingAction(app.state, {kind: 'conversation', conversation}, mutes),
  );
  const label = `${mutes ? 'Muted' : 'Unmuted'} ${titleOf(items)}`;
  const keys = items.map(({key}) => key);
  act(app, {verb: mutes ? 'muted' : 'other', keys, actions, label});
}

/** Follows the topics, or no longer; they stay where they are. */
export function followRows(app: App): void {
  const items = chosenItems(app.frame);
  const topics = items.flatMap(({conversation}) => (conversation.kind === 'topic' ? [conversation] : []));
  if (topics.length === 0) {
    app.toast('Only topics can be followed.', 'warning');
    return;
  }
  const follows = items.some(({conversation, isFollowed}) => conversation.kind === 'topic' && !isFollowed);
  const policy = follows ? visibilityPolicies.followed : visibilityPolicies.none;
  const actions = topics.map(({channelId, topic}) => policyAction(channelId, topic, policy));
  const label = follows ? `Following ${titleOf(items)}` : `No longer following ${titleOf(items)}`;
  act(app, {verb: 'other', keys: items.map(({key}) => key), actions, label, stays: true});
}
