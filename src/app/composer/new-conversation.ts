import type {App} from '#app/core/app.ts';
import {currentChannelId} from '#app/targets/action-target.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {canCreateTopic, canPostInChannel, hasNoTopics} from '#state/selectors/permissions/channel-permissions.ts';
import {noRecipients, type Recipients, recipientsOf} from '#ui/composer/recipients.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {type ComposeOptions, composeProblem, openComposer} from './open-composer.ts';

/** Returns the reason why no topic can be started in the current channel. */
export function newTopicProblem(app: AppReader): string | undefined {
  const problem = composeProblem(app);
  const channelId = currentChannelId(app);
  const channel = channelId === undefined ? undefined : app.state.channels.get(channelId);
  if (problem !== undefined || channel === undefined) return problem;
  const now = app.clock.now();
  const permissions = [
    canPostInChannel(app.state, channel, now),
    // A channel without topics has nothing to create.
    ...(hasNoTopics(app.state, channel.id) ? [] : [canCreateTopic(app.state, channel.id, now)]),
  ];
  return permissions.filter((permission) => !permission.ok).map((permission) => permission.reason)[0];
}

/** Starts a topic in the current channel, or asks for the channel. */
export function startNewTopic(app: App): void {
  const channelId = currentChannelId(app);
  if (channelId === undefined) {
    openWithRecipients(app, noRecipients('channel'));
    return;
  }
  if (hasNoTopics(app.state, channelId)) {
    openComposer(app, {target: topicConversation(channelId, '')});
    return;
  }
  openWithRecipients(app, recipientsOf(app.state, {kind: 'topic', channelId, topic: ''}), {activePart: 'topic'});
}

export function startNewDirectMessage(app: App): void {
  openWithRecipients(app, noRecipients('people'));
}

/** Opens the composer for a message whose recipients are still to be typed. */
export function openWithRecipients(app: App, recipients: Recipients, more: Partial<ComposeOptions> = {}): void {
  openComposer(app, {target: {kind: 'none', topic: ''}, recipients, activePart: 'to', ...more});
}
