import type {App} from '#app/core/app.ts';
import {act, type Wish} from '#app/inbox/actions/perform-row-action.ts';
import {unselect} from '#app/lists/act-and-advance.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import type {WaitingAction} from '#state/actions/reversible-actions.ts';
import {conversationKey, type TopicConversation} from '#state/model/conversation.ts';
import {isFollowed, isMuted} from '#state/selectors/lists/conversation-properties.ts';
import type {AccountState} from '#state/state.ts';
import {isChannelMuted} from '#state/unreads/muting.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {type Subject, subjectsOf, subjectsTitle} from './action-target.ts';

/** Why nothing can be marked read now. */
export function readingProblem({facts}: App): string | undefined {
  if (facts.isReadOnly) return 'This session is read-only: nothing is marked read';
  return facts.isExploring ? 'Exploring: nothing is marked read' : undefined;
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
  const label = `${mutes ? 'Muted' : 'Unmuted'} ${subjectsTitle(app.state, subjects)}`;
  actOn(app, subjects, {verb: mutes ? 'muted' : 'other', actions, label});
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
  const label = follows ? `Following ${title}` : `No longer following ${title}`;
  actOn(app, subjects, {verb: 'other', actions, label});
}

function actOn(app: App, subjects: readonly Subject[], wish: Pick<Wish, 'verb' | 'actions' | 'label'>): void {
  act(app, {...wish, keys: subjects.map(subjectKey), stays: true});
  const id = focusedList(app.screen);
  if (id !== undefined) unselect(app, id);
}

/** What its row is called in lists. */
function subjectKey(subject: Subject): string {
  return subject.kind === 'channel' ? `channel ${subject.channelId}` : conversationKey(subject.conversation);
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
): readonly WaitingAction[] {
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

export function policyAction(channelId: number, topic: string, policy: number): WaitingAction {
  return {kind: 'topicPolicy', channelId, topic, policy};
}
