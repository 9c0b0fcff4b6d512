import type {App} from '#app/core/app.ts';
import {performRowAction, type RowAction} from '#app/inbox/actions/perform-row-action.ts';
import {clearSelection} from '#app/lists/act-and-advance.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import type {PendingAction} from '#state/actions/reversible-actions.ts';
import {conversationKey, type TopicConversation} from '#state/model/conversation.ts';
import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import type {AccountState} from '#state/state.ts';
import {isChannelMuted} from '#state/unreads/muting.ts';
import {visibilityPolicies} from '#wire/objects/user-topic.ts';
import {type ActionTarget, actionTargets, targetsTitle} from './action-target.ts';

/** Why nothing can be marked read now. */
export function markReadProblem({info: facts}: App): string | undefined {
  if (facts.isReadOnly) return 'This session is read-only: nothing is marked read';
  return facts.isExploring ? 'Exploring: nothing is marked read' : undefined;
}

/** Mutes what is at hand; unmutes it when all of it is muted. */
export function toggleMuted(app: App): void {
  const subjects = actionTargets(app).filter(
    (subject) => topicOf(subject) !== undefined || isChannel(subject),
  );
  if (subjects.length === 0) {
    app.toast('Only topics and channels can be muted here; people, from their card.', 'warning');
    return;
  }
  const mutes = !subjects.every((subject) => isTargetMuted(app.state, subject));
  const actions = subjects.flatMap((subject) => muteActions(app.state, subject, mutes));
  const label = `${mutes ? 'Muted' : 'Unmuted'} ${targetsTitle(app.state, subjects)}`;
  actOnTargets(app, subjects, {actionKind: mutes ? 'muted' : 'other', actions, label});
}

export function toggleFollowed(app: App): void {
  const topics = actionTargets(app).flatMap((subject) => topicOf(subject) ?? []);
  const subjects = topics.map((conversation): ActionTarget => ({kind: 'conversation', conversation}));
  if (topics.length === 0) {
    app.toast('Only topics can be followed.', 'warning');
    return;
  }
  const follows = !topics.every((topic) => isConversationFollowed(app.state, topic));
  const policy = follows ? visibilityPolicies.followed : visibilityPolicies.none;
  const actions = topics.map(({channelId, topic}) => topicPolicyAction(channelId, topic, policy));
  const title = targetsTitle(app.state, subjects);
  const label = follows ? `Following ${title}` : `No longer following ${title}`;
  actOnTargets(app, subjects, {actionKind: 'other', actions, label});
}

function actOnTargets(
  app: App,
  subjects: readonly ActionTarget[],
  wish: Pick<RowAction, 'actionKind' | 'actions' | 'label'>,
): void {
  performRowAction(app, {...wish, keys: subjects.map(targetKey), stays: true});
  const id = focusedList(app.screen);
  if (id !== undefined) clearSelection(app, id);
}

/** What its row is called in lists. */
function targetKey(subject: ActionTarget): string {
  return subject.kind === 'channel' ? `channel ${subject.channelId}` : conversationKey(subject.conversation);
}

function isChannel(subject: ActionTarget): boolean {
  return subject.kind === 'channel';
}

function topicOf(subject: ActionTarget): TopicConversation | undefined {
  return subject.kind === 'conversation' && subject.conversation.kind === 'topic'
    ? subject.conversation
    : undefined;
}

function isTargetMuted(state: AccountState, subject: ActionTarget): boolean {
  return subject.kind === 'channel'
    ? isChannelMuted(state, subject.channelId)
    : isConversationMuted(state, subject.conversation);
}

export function muteActions(
  state: AccountState,
  subject: ActionTarget,
  mutes: boolean,
): readonly PendingAction[] {
  if (isTargetMuted(state, subject) === mutes) return [];
  if (subject.kind === 'channel') {
    const {channelId} = subject;
    return [{kind: 'subscription', channelId, setting: 'isMuted', value: mutes}];
  }
  const topic = topicOf(subject);
  if (topic === undefined) return [];
  const {muted, unmuted, none} = visibilityPolicies;
  const audible = isChannelMuted(state, topic.channelId) ? unmuted : none;
  return [topicPolicyAction(topic.channelId, topic.topic, mutes ? muted : audible)];
}

export function topicPolicyAction(channelId: number, topic: string, policy: number): PendingAction {
  return {kind: 'topicPolicy', channelId, topic, policy};
}
