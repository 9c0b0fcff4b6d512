import type {App} from '#app/core/app.ts';
import {clearSelection} from '#app/lists/move-in-list.ts';
import {type ActionTarget, actionTargets, targetsTitle} from '#app/targets/action-target.ts';
import type {PendingAction} from '#state/actions/reversible-actions.ts';
import {isChannelMuted} from '#state/messages/event-conversations.ts';
import {conversationKey, type TopicConversation} from '#state/model/conversation.ts';
import {isConversationFollowed, isConversationMuted} from '#state/selectors/lists/conversation-properties.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {serverProblem} from '#ui/core/change-problem.ts';
import {focusedList} from '#ui/list-table.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {performRowAction, type RowAction} from './perform-row-action.ts';

const noConversationText = 'No conversation is selected';

/** Returns the reason why no target can be muted. */
export function muteProblem(app: AppReader): string | undefined {
  if (mutableTargets(app).length > 0) return undefined;
  const isOther = actionTargets(app).length > 0;
  return isOther ? 'Only topics and channels can be muted here. Mute people from their profile.' : noConversationText;
}

function mutableTargets(app: AppReader): readonly ActionTarget[] {
  return actionTargets(app).filter((target) => topicOf(target) !== undefined || target.kind === 'channel');
}

/** Returns the reason why no target can be followed. */
export function followProblem(app: AppReader): string | undefined {
  const targets = actionTargets(app);
  if (targets.some((target) => topicOf(target) !== undefined)) return serverProblem(app, 'followedTopics');
  return targets.length > 0 ? 'Only topics can be followed.' : noConversationText;
}

/** Mutes the targets; unmutes them when all are muted. */
export function toggleMuted(app: App): void {
  const targets = mutableTargets(app);
  const mutes = !targets.every((target) => isTargetMuted(app.state, target));
  const actions = targets.flatMap((target) => muteActions(app.state, target, mutes));
  if (app.warn(unmuteProblem(app, actions))) return;
  const label = composed`${mutes ? 'Muted' : 'Unmuted'} ${targetsTitle(app.state, targets)}`;
  actOnTargets(app, targets, {actionKind: mutes ? 'muted' : 'other', actions, label});
}

/** Follows the target topics; unfollows them when all are followed. */
export function toggleFollowed(app: App): void {
  const topics = actionTargets(app).flatMap((target) => topicOf(target) ?? []);
  const targets = topics.map((conversation): ActionTarget => ({kind: 'conversation', conversation}));
  const follows = !topics.every((topic) => isConversationFollowed(app.state, topic));
  const policy = follows ? visibilityPolicies.followed : visibilityPolicies.none;
  const actions = topics.map(({channelId, topic}) => topicPolicyAction(channelId, topic, policy));
  const title = targetsTitle(app.state, targets);
  const label = follows ? composed`Followed ${title}` : composed`Unfollowed ${title}`;
  actOnTargets(app, targets, {actionKind: 'other', actions, label});
}

/** Performs an action on the targets, which stay in their list, and clears the selection. */
export function actOnTargets(
  app: App,
  targets: readonly ActionTarget[],
  action: Pick<RowAction, 'actionKind' | 'actions' | 'label'>,
): void {
  performRowAction(app, {...action, keys: targets.map(targetKey), stays: true});
  const list = focusedList(app.screen);
  if (list !== undefined) clearSelection(app, list);
}

/** Returns the key of the target's row in lists. */
function targetKey(target: ActionTarget): string {
  return target.kind === 'channel' ? `channel ${target.channelId}` : conversationKey(target.conversation);
}

function topicOf(target: ActionTarget): TopicConversation | undefined {
  return target.kind === 'conversation' && target.conversation.kind === 'topic' ? target.conversation : undefined;
}

function isTargetMuted(state: AccountState, target: ActionTarget): boolean {
  return target.kind === 'channel'
    ? isChannelMuted(state, target.channelId)
    : isConversationMuted(state, target.conversation);
}

/** Returns the actions that mute or unmute a target; none when it already is. */
export function muteActions(state: AccountState, target: ActionTarget, mutes: boolean): readonly PendingAction[] {
  if (isTargetMuted(state, target) === mutes) return [];
  if (target.kind === 'channel') {
    const {channelId} = target;
    return [{kind: 'subscription', channelId, setting: 'isMuted', value: mutes}];
  }
  const topic = topicOf(target);
  if (topic === undefined) return [];
  const {muted, unmuted, none} = visibilityPolicies;
  const audible = isChannelMuted(state, topic.channelId) ? unmuted : none;
  return [topicPolicyAction(topic.channelId, topic.topic, mutes ? muted : audible)];
}

/** Returns why this server cannot unmute topics of a muted channel. */
export function unmuteProblem(app: App, actions: readonly PendingAction[]): string | undefined {
  const unmutes = actions.some((one) => one.kind === 'topicPolicy' && one.policy === visibilityPolicies.unmuted);
  return unmutes ? serverProblem(app, 'unmutedTopics') : undefined;
}

export function topicPolicyAction(channelId: number, topic: string, policy: number): PendingAction {
  return {kind: 'topicPolicy', channelId, topic, policy};
}
