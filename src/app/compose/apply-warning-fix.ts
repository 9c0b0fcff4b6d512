import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {WarningFix} from '#app/warnings/send-warnings.ts';
import {subscribe} from '#state/actions/channels.ts';
import {updateTopicResolved} from '#state/actions/move-messages.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {channelName, unresolvedName} from '#state/selectors/names/names.ts';
import {setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';

/** A key that settles one of the warnings; false when it is none of theirs. */
export function applyWarningFix(app: App, key: string): boolean {
  const offers = app.screen.composer.warnings.flatMap(({fix: offer}) => offer ?? []);
  const kind = key === 's' ? 'subscribe' : key === 'u' ? 'unresolve' : undefined;
  const offer = offers.find((one) => one.kind === kind);
  if (offer === undefined) return false;
  const {composer} = app.screen;
  setComposer(app, {...composer, warnings: composer.warnings.filter((warning) => warning.fix !== offer)});
  applyFix(app, offer);
  return true;
}

function applyFix(app: App, offer: WarningFix): void {
  const {context} = app.session;
  const {channelId} = offer;
  if (offer.kind === 'subscribe') {
    const {userIds} = offer;
    const people = userIds.length === 1 ? 'One person' : `${userIds.length} people`;
    requestFromServer(app, {
      send: () => subscribe(context, [channelId], userIds),
      doneText: () => `${people} added to #${channelName(app.state, channelId)}`,
      failureText: 'Not added',
    });
    return;
  }
  const {topic} = offer;
  const messageId = app.state.messages.byConversation.get(topicConversationKey(channelId, topic))?.last();
  if (messageId === undefined) return;
  const renamed = topicConversation(channelId, unresolvedName(topic));
  setComposer(app, {...app.screen.composer, target: renamed, anchor: undefined});
  composerSaver(app).scheduleSave();
  requestFromServer(app, {
    send: () => updateTopicResolved(context, {messageId, topic, isResolved: false}),
    doneText: () => 'The topic is open again',
    failureText: 'Still resolved',
  });
}
