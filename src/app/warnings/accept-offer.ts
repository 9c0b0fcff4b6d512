import {refusedText} from '#app/channels/channel-actions.ts';
import {changeMessageText, setComposer} from '#app/composer/change-composer.ts';
import {acceptPastePrompt} from '#app/composer/type-into-composer.ts';
import type {App} from '#app/core/app.ts';
import {changeOnServer} from '#app/requests/server-request.ts';
import {setTopicResolved} from '#app/topics/topic-actions.ts';
import {removeSubscribers, subscribe} from '#state/actions/channels.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {channelName, unresolvedName} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {replaceAll} from '#ui/text/text-field.ts';
import type {WarningFix} from '#ui/warnings/warning.ts';

/** Accepts what is offered below the text: about the text just pasted, or to remedy a warning. */
export function acceptComposerOffer(app: App): void {
  const {pastePrompt, warnings} = app.screen.composer;
  const fix = warnings.find((warning) => warning.fix !== undefined)?.fix;
  if (pastePrompt !== undefined) acceptPastePrompt(app, pastePrompt);
  else if (fix !== undefined) acceptWarningFix(app, fix);
  else app.toast('Nothing is offered here');
}

function acceptWarningFix(app: App, fix: WarningFix): void {
  if (fix.kind === 'close') {
    changeMessageText(app, (field) => replaceAll(field, fix.text));
    return;
  }
  const hideWarning = () => {
    const {warnings} = app.screen.composer;
    setComposer(app, {warnings: warnings.filter((warning) => warning.fix !== fix)});
  };
  const {context} = app.session;
  const {channelId} = fix;
  if (fix.kind === 'subscribe') {
    const {userIds} = fix;
    const people = userIds.length === 1 ? 'One person' : `${userIds.length} people`;
    changeOnServer(app, {
      progressText: composed`Adding to #${channelName(app.state, channelId)}…`,
      send: async () => {
        const {unauthorized} = await subscribe(context, [channelId], {userIds});
        if (unauthorized.length > 0) throw new Error(refusedText(unauthorized));
        hideWarning();
      },
      failureText: 'Not added',
      label: composed`${people} added to #${channelName(app.state, channelId)}`,
      undo: () => removeSubscribers(context, channelId, userIds),
      undoneText: composed`${people} removed from #${channelName(app.state, channelId)} again`,
      undoFailureText: 'Not removed again',
    });
    return;
  }
  const {topic} = fix;
  const messageId = app.state.messages.byConversation.get(topicConversationKey(channelId, topic))?.last();
  if (messageId === undefined) return;
  hideWarning();
  const renamed = topicConversation(channelId, unresolvedName(topic));
  setComposer(app, {target: renamed, anchor: undefined});
  app.composerPersistence.scheduleSave();
  setTopicResolved(app, topicConversation(channelId, topic), false);
}
