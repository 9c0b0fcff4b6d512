import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {conversationTitle, isResolved} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import type {Frame} from '#ui/core/frame.ts';
import {paneKey} from '#ui/core/working-keys.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import {fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import type {Warning} from '#ui/warnings/send-warnings.ts';
import {realmDefaults} from '#wire/objects/realm.ts';
import type {ComposerState, PastePrompt} from './composer-state.ts';
import {otherDrafts} from './destination.ts';

/**
 * What the lines below the text are made of. `others`: one line each: prompts, upload progress, delayed send, other drafts.
 */
export type ComposerNotices = ReturnType<typeof composerNotices>;

/** Selects what is said below the text. */
export function composerNotices(frame: Frame) {
  const {account, screen, display} = frame;
  const {composer} = screen;
  const {warnings, pastePrompt, upload, delayedSend} = composer;
  const notices: (readonly UiSpan[])[] = [];
  const add = (text: string, role: UiSpan['role']) => notices.push([{text: plainGlyphText(text, display), role}]);
  if (warnings.length === 0) for (const text of typingNotices(account, composer)) add(` ${text}`, 'warning');
  if (pastePrompt !== undefined) notices.push(pastePromptSpans(frame, pastePrompt));
  if (upload !== undefined) add(` ${upload.name} · ${upload.percent} % uploaded · Ctrl-C cancels`, 'progress');
  if (delayedSend !== undefined) {
    const title = conversationTitle(account, delayedSend.conversation);
    const undo = keyText(frame, 'undoes', ['edit.undo', 'undo']);
    add(` Sends to ${title} within ${delayedSend.seconds} s${undo}`, 'pending');
  }
  const drafts = composer.editing === undefined ? otherDrafts(account, composer).length : 0;
  if (drafts > 0) {
    add(
      ` ${drafts} more ${drafts === 1 ? 'draft' : 'drafts'}${keyText(frame, 'lists them', ['view.drafts'])}`,
      'draft',
    );
  }
  const offerKey = paneKey(frame, ['compose.offer']);
  return {warnings, others: notices, ...(offerKey !== undefined && {offerKey})};
}

/** Returns the lines below the text, the warnings first. */
export function noticeLines({warnings, others, offerKey}: ComposerNotices, columns: number): readonly UiLine[] {
  return [...warningLines(warnings, columns, offerKey), ...others.map((spans) => fittedLine(spans, columns))];
}

function keyText(frame: Frame, label: string, commands: readonly string[]): string {
  const key = paneKey(frame, commands);
  return key === undefined ? '' : ` · ${key} ${label}`;
}

/** Returns what the user should know about the destination while writing, before anything is sent. */
function typingNotices(account: AccountState, {target, recipients, editing}: ComposerState): readonly string[] {
  if (editing !== undefined || target.kind !== 'topic') return [];
  const {maxTopicLength = realmDefaults.max_topic_length} = account.server;
  const length = recipients === undefined ? 0 : Array.from(recipients.topic.text.trim()).length;
  const isCut = recipients?.kind === 'channel' && length > maxTopicLength;
  return [
    ...(isCut ? [`Topic ${length}/${maxTopicLength}: the server cuts the end`] : []),
    ...(isResolved(target.topic) ? ['This topic is resolved'] : []),
  ];
}

function warningLines(warnings: readonly Warning[], columns: number, offerKey: string | undefined): readonly UiLine[] {
  const isBlocked = warnings.some(({isBlocking}) => isBlocking);
  const lines = warnings.flatMap(({text, fix, isBlocking}) => {
    const spans: UiSpan[] = [{text: sanitizeText(text), role: isBlocking ? 'error' : 'warning'}];
    if (fix !== undefined && offerKey !== undefined) {
      spans.push({
        text: ` ${offerKey} ${fix.kind === 'subscribe' ? 'subscribes them.' : 'unresolves it.'}`,
        role: 'hint',
      });
    }
    return wrapSpans(spans, {
      width: columns,
      first: [{text: ' ! ', role: isBlocking ? 'error' : 'warning', bold: true}],
      rest: [{text: '   ', role: 'text'}],
    });
  });
  if (lines.length > 0 && !isBlocked) lines.push(fittedLine([{text: ' Enter again to send', role: 'hint'}], columns));
  return lines;
}

function pastePromptSpans(frame: Frame, prompt: PastePrompt): readonly UiSpan[] {
  const [question, offer] = pastePromptTexts(prompt);
  const file = prompt.kind === 'paste' ? keyText(frame, 'attaches it as a file', ['compose.attach']) : '';
  return [
    {text: question, role: 'text'},
    {text: plainGlyphText(keyText(frame, offer, ['compose.offer']) + file, frame.display), role: 'hint'},
  ];
}

function pastePromptTexts(prompt: PastePrompt): readonly [question: string, offer: string] {
  switch (prompt.kind) {
    case 'paste':
      return [` ${countedNoun(prompt.lines, 'line')} pasted`, 'makes a code block'];
    case 'files':
      return [` Path of ${fileNames(prompt.paths)}`, 'attaches'];
    case 'url':
      return [` The short form is ${sanitizeText(prompt.short)}`, 'shortens'];
  }
}

function fileNames(paths: readonly string[]): string {
  const [first = ''] = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  return paths.length === 1 ? first : `${paths.length} files`;
}
