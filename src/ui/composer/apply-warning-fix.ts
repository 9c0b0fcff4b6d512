import {removeSubscribers, subscribe} from '#state/actions/channels.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {channelName, unresolvedName} from '#state/selectors/names/names.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import {refusedText} from '#ui/channels/subscribe.ts';
import type {App} from '#ui/core/app.ts';
import {setTopicResolved} from '#ui/message-actions/resolve-topic.ts';
import {undoOffer} from '#ui/undo/undo-request.ts';
import type {WarningFix} from '#ui/warnings/send-warnings.ts';
import {setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';

/** Applies the fix that `key` stands for. Returns false when no current warning offers it. */
export function applyWarningFix(app: App, key: string): boolean {
  const fixes = app.screen.composer.warnings.flatMap(({fix}) => fix ?? []);
  const kind = key === 's' ? 'subscribe' : key === 'u' ? 'unresolve' : undefined;
  const fix = fixes.find((one) => one.kind === kind);
  if (fix === undefined) return false;
  const {composer} = app.screen;
  setComposer(app, {...composer, warnings: composer.warnings.filter((warning) => warning.fix !== fix)});
  applyFix(app, fix);
  return true;
}

function applyFix(app: App, fix: WarningFix): void {
  const {context} = app.session;
  const {channelId} = fix;
  if (fix.kind === 'subscribe') {
    const {userIds} = fix;
    const people = userIds.length === 1 ? 'One person' : `${userIds.length} people`;
    requestFromServer(app, {
      send: async () => {
        const {unauthorized} = await subscribe(context, [channelId], {userIds});
        if (unauthorized.length > 0) throw new Error(refusedText(unauthorized));
      },
      doneText: () =>
        undoOffer(app, {
          label: `${people} added to #${channelName(app.state, channelId)}`,
          undo: () => removeSubscribers(context, channelId, userIds),
          undoneText: `${people} removed from #${channelName(app.state, channelId)} again`,
          failureText: 'Not removed again',
        }),
      failureText: 'Not added',
    });
    return;
  }
  const {topic} = fix;
  const messageId = app.state.messages.byConversation.get(topicConversationKey(channelId, topic))?.last();
  if (messageId === undefined) return;
  const renamed = topicConversation(channelId, unresolvedName(topic));
  setComposer(app, {...app.screen.composer, target: renamed, anchor: undefined});
  composerSaver(app).scheduleSave();
  setTopicResolved(app, topicConversation(channelId, topic), false);
}
