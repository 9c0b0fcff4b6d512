import {askServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {Offer} from '#app/warnings/send-warnings.ts';
import {subscribe} from '#state/actions/channels.ts';
import {setResolved} from '#state/actions/move-messages.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {channelName, unresolvedName} from '#state/selectors/names/names.ts';
import {setComposer} from './change-composer.ts';
import {keeperOf} from './composer-saver.ts';

/** A key that settles one of the warnings; false when it is none of theirs. */
export function takeOffer(app: App, key: string): boolean {
  const offers = app.screen.composer.warnings.flatMap(({offer}) => offer ?? []);
  const kind = key === 's' ? 'subscribe' : key === 'u' ? 'unresolve' : undefined;
  const offer = offers.find((one) => one.kind === kind);
  if (offer === undefined) return false;
  const {composer} = app.screen;
  setComposer(app, {...composer, warnings: composer.warnings.filter((warning) => warning.offer !== offer)});
  carryOut(app, offer);
  return true;
}

function carryOut(app: App, offer: Offer): void {
  const {context} = app.session;
  const {channelId} = offer;
  if (offer.kind === 'subscribe') {
    const {userIds} = offer;
    const people = userIds.length === 1 ? 'One person' : `${userIds.length} people`;
    askServer(app, {
      ask: () => subscribe(context, [channelId], userIds),
      done: () => `${people} added to #${channelName(app.state, channelId)}`,
      failed: 'Not added',
    });
    return;
  }
  const {topic} = offer;
  const messageId = app.state.messages.byConversation.get(topicConversationKey(channelId, topic))?.last();
  if (messageId === undefined) return;
  const renamed = topicConversation(channelId, unresolvedName(topic));
  setComposer(app, {...app.screen.composer, target: renamed, anchor: undefined});
  keeperOf(app).touch();
  askServer(app, {
    ask: () => setResolved(context, {messageId, topic, isResolved: false}),
    done: () => 'The topic is open again',
    failed: 'Still resolved',
  });
}
