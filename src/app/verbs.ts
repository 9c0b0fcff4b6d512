import type {ReversibleAction} from '#state/actions/reversible.ts';
import {conversationKey, type TopicConversation} from '#state/model/conversation.ts';
import {unreadAfter} from '#state/selectors/inbox.ts';
import {isFollowed, isMuted} from '#state/selectors/signs.ts';
import type {AccountState} from '#state/state.ts';
import {isChannelMuted} from '#state/unreads/muting.ts';
import {unreadIdsOf} from '#state/unreads/unread-ids.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import type {App} from './app.ts';
import {doAllUndoably, doUndoably} from './deeds.ts';
import {changeList} from './lists/filtering.ts';
import {focusedList} from './lists/focused-list.ts';
import {cursorRow} from './lists/listing.ts';
import {moveInList} from './lists/motion.ts';
import {openConversation} from './navigation.ts';
import {conversationAtHand, type Subject, subjectNarrow, subjectsOf, subjectsTitle} from './subjects.ts';

/** Why nothing can be marked read now. */
export function readingProblem({facts}: App): string | undefined {
  if (facts.isReadOnly) return 'This is a read-only session: nothing is marked read.';
  return facts.isExploring ? 'You are exploring: nothing is marked read.' : undefined;
}

/** Everything known as unread in what is at hand is read, and one goes on to the next. */
export function markDone(app: App): void {
  const id = focusedList(app.screen);
  if (id === undefined) {
    finishConversation(app);
    return;
  }
  const before = cursorRow(app.frame, id)?.key;
  const isMany = app.screen.lists[id].selected.size > 0;
  if (!markSubjectsRead(app, subjectsOf(app))) app.toast('Nothing is unread there.');
  if (isMany) changeList(app, id, (list) => ({...list, selected: new Set()}));
  else if (cursorRow(app.frame, id)?.key === before) moveInList(app, id, {by: 'item', step: 1});
}

function finishConversation(app: App): void {
  const conversation = conversationAtHand(app);
  if (conversation === undefined) {
    app.toast('No conversation is selected.', 'warning');
    return;
  }
  const next = unreadAfter(app.state, conversationKey(conversation));
  const wasUnread = markSubjectsRead(app, [{kind: 'conversation', conversation}]);
  if (next !== undefined) openConversation(app, next);
  else if (!wasUnread) app.toast('Nothing is unread.');
}

/** Exactly what is known as unread now. False when nothing is. */
function markSubjectsRead(app: App, subjects: readonly Subject[]): boolean {
  const ids = subjects.flatMap((subject) => unreadIdsOf(app.state, subjectNarrow(subject)));
  const label = `Marked ${subjectsTitle(app.state, subjects)} read (${ids.length})`;
  return ids.length > 0 && doUndoably(app, {kind: 'flags', op: 'add', flag: 'read', ids}, label);
}

/** Mutes what is at hand; unmutes it when all of it is muted. */
export function toggleMuted(app: App): void {
  const subjects = subjectsOf(app).filter((subject) => topicOf(subject) !== undefined || isChannel(subject));
  if (subjects.length === 0) {
    app.toast('Only topics and channels can be muted here; people, from their card.', 'warning');
    return;
  }
  const mutes = !subjects.every((subject) => isSubjectMuted(app.state, subject));
  const actions = subjects.flatMap((subject) => mutingAction(app.state, subject, mutes));
  act(app, actions, `${mutes ? 'Muted' : 'Unmuted'} ${subjectsTitle(app.state, subjects)}`);
}

export function toggleFollowed(app: App): void {
  const topics = subjectsOf(app).flatMap((subject) => topicOf(subject) ?? []);
  const subjects = topics.map((conversation): Subject => ({kind: 'conversation', conversation}));
  if (topics.length === 0) {
    app.toast('Only topics can be followed.', 'warning');
    return;
  }
  const follows = !topics.every((topic) => isFollowed(app.state, topic));
  const policy = follows ? visibilityPolicies.followed : visibilityPolicies.none;
  const actions = topics.map(({channelId, topic}) => policyAction(channelId, topic, policy));
  const title = subjectsTitle(app.state, subjects);
  act(app, actions, follows ? `Following ${title}` : `No longer following ${title}`);
}

function act(app: App, actions: readonly ReversibleAction[], label: string): void {
  doAllUndoably(app, actions, label);
  const id = focusedList(app.screen);
  if (id !== undefined) changeList(app, id, (list) => ({...list, selected: new Set()}));
}

function isChannel(subject: Subject): boolean {
  return subject.kind === 'channel';
}

function topicOf(subject: Subject): TopicConversation | undefined {
  return subject.kind === 'conversation' && subject.conversation.kind === 'topic'
    ? subject.conversation
    : undefined;
}

function isSubjectMuted(state: AccountState, subject: Subject): boolean {
  return subject.kind === 'channel'
    ? isChannelMuted(state, subject.channelId)
    : isMuted(state, subject.conversation);
}

export function mutingAction(
  state: AccountState,
  subject: Subject,
  mutes: boolean,
): readonly ReversibleAction[] {
  if (isSubjectMuted(state, subject) === mutes) return [];
  if (subject.kind === 'channel') {
    const {channelId} = subject;
    return [{kind: 'subscription', channelId, setting: 'isMuted', value: mutes}];
  }
  const topic = topicOf(subject);
  if (topic === undefined) return [];
  const {muted, unmuted, none} = visibilityPolicies;
  const audible = isChannelMuted(state, topic.channelId) ? unmuted : none;
  return [policyAction(topic.channelId, topic.topic, mutes ? muted : audible)];
}

export function policyAction(channelId: number, topic: string, policy: number): ReversibleAction {
  return {kind: 'topicPolicy', channelId, topic, policy};
}
