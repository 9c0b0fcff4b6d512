import {shortFormOf} from '#content/composer-markdown.ts';
import {removeSubscribers, subscribe} from '#state/actions/channels.ts';
import {topicConversation, topicConversationKey} from '#state/model/conversation.ts';
import {channelName, unresolvedName} from '#state/selectors/names/names.ts';
import {requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import {refusedText} from '#ui/channels/channel-actions.ts';
import type {App} from '#ui/core/app.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {droppedPaths, fenced, pasteSize, safePastedText} from '#ui/text/paste.ts';
import {insert, insertBlock, replaceRange} from '#ui/text/text-field.ts';
import {setTopicResolved} from '#ui/topics/topic-actions.ts';
import type {WarningFix} from '#ui/warnings/send-warnings.ts';
import {attachPaths, attachText} from './attach-files.ts';
import {changeActiveField, changeMessageText, setComposer} from './change-composer.ts';
import {composerSaver} from './composer-saver.ts';
import {activeField, type PastePrompt} from './composer-state.ts';

/** Types one character into the active field, or answers an open prompt with it. */
export function typeIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  if (composer.pastePrompt !== undefined && answerPrompt(app, composer.pastePrompt, text)) return;
  if (composer.warnings.length > 0 && applyWarningFix(app, text)) return;
  if (composer.isPreviewed) setComposer(app, {...composer, isPreviewed: false});
  changeActiveField(app, (field) => insert(field, text));
}

function answerPrompt(app: App, prompt: PastePrompt, key: string): boolean {
  const end = prompt.start + prompt.text.length;
  const isThere = app.screen.composer.field.text.slice(prompt.start, end) === prompt.text;
  if (!isThere) return false;
  if (prompt.kind === 'url') {
    if (key !== 'y') return false;
    changeMessageText(app, (field) => replaceRange(field, prompt.start, end, prompt.short));
    return true;
  }
  if (prompt.kind === 'files') {
    if (key !== 'y') return false;
    changeMessageText(app, (field) => replaceRange(field, prompt.start, end, ''));
    attachPaths(app, prompt.paths);
    return true;
  }
  if (key === 'f') {
    changeMessageText(app, (field) => insertBlock(replaceRange(field, prompt.start, end, ''), fenced(prompt.text)));
    return true;
  }
  if (key !== 'a') return false;
  changeMessageText(app, (field) => replaceRange(field, prompt.start, end, ''));
  attachText(app, prompt.text);
  return true;
}

/**
 * Inserts pasted text; a paste never sends. A large paste, file paths, or a URL that a linkifier shortens also open a prompt
 * about the inserted text.
 */
export function pasteIntoComposer(app: App, text: string): void {
  const {composer} = app.screen;
  const pasted = safePastedText(text);
  if (composer.activePart === 'to' || composer.activePart === 'topic') {
    changeActiveField(app, (field) => insert(field, pasted.replaceAll(/\s+/g, ' ')));
    return;
  }
  const start = composer.field.cursor;
  changeActiveField(app, (field) => insert(field, pasted), 'placed');
  const {lines, isLarge} = pasteSize(pasted);
  const inserted = activeField(app.screen.composer).text.slice(start, start + pasted.length);
  if (inserted !== pasted) return;
  if (isLarge) showPastePrompt(app, {kind: 'paste', start, text: pasted, lines});
  const paths = droppedPaths(pasted, (path) => isFile(app.device, path));
  if (paths !== undefined) showPastePrompt(app, {kind: 'files', start, text: pasted, paths});
  const short = shortFormOf(pasted, messageContext(app.state).linkifiers ?? []);
  if (short !== undefined) showPastePrompt(app, {kind: 'url', start, text: pasted, short});
}

function showPastePrompt(app: App, prompt: PastePrompt): void {
  setComposer(app, {...app.screen.composer, pastePrompt: prompt});
}

function isFile(device: App['device'], path: string): boolean {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  try {
    return device.listFiles(path.slice(0, at) || '/').some((file) => file.name === name && !file.isDirectory);
  } catch {
    return false;
  }
}

/** Closes the paste prompt and keeps the text. Returns false when no prompt is open. */
export function dismissPastePrompt(app: App): boolean {
  const {composer} = app.screen;
  if (composer.pastePrompt === undefined) return false;
  setComposer(app, {...composer, pastePrompt: undefined});
  return true;
}

/** Applies the fix that `key` stands for. Returns false when no current warning offers it. */
function applyWarningFix(app: App, key: string): boolean {
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
