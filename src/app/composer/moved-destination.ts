import type {App} from '#app/core/app.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {conversationTitle, topicDisplayName} from '#state/selectors/names/names.ts';
import {hasNoTopics} from '#state/selectors/permissions/channel-permissions.ts';
import {composed} from '#std/composed-text.ts';
import {movedDestination} from '#ui/composer/destination.ts';
import {setComposer} from './change-composer.ts';

/** Follows the conversation to where it moved. Returns false when it did not move. */
export function acceptMovedDestination(app: App): boolean {
  const {composer} = app.screen;
  const moved = movedDestination(app.state, composer);
  if (moved === undefined) return false;
  setComposer(app, {target: moved, warnings: [], recipients: undefined});
  app.composerPersistence.scheduleSave();
  app.toast(composed`Destination changed to ${conversationTitle(app.state, moved)}`);
  return true;
}

/** Changes the destination when the channel has no topics any more. Returns false when the destination stays. */
export function acceptTopicsPolicy(app: App): boolean {
  const {composer} = app.screen;
  const {target: before} = composer;
  if (before.kind !== 'topic' || before.topic === '' || !hasNoTopics(app.state, before.channelId)) return false;
  const target = topicConversation(before.channelId, '');
  setComposer(app, {target, warnings: [], recipients: undefined, anchor: undefined});
  app.composerPersistence.scheduleSave();
  app.toast(composed`This channel has no topics: now to ${topicDisplayName(app.state, '')}`, 'warning');
  return true;
}

/** Keeps the original destination. Returns false when the conversation did not move. */
export function keepDestination(app: App): boolean {
  const {composer} = app.screen;
  if (movedDestination(app.state, composer) === undefined) return false;
  setComposer(app, {anchor: undefined});
  return true;
}
