import type {PastePrompt} from '#app/compose/composer-state.ts';
import {otherDrafts} from '#app/compose/conversation-drafts.ts';
import type {Frame} from '#app/core/frame.ts';
import {plainGlyphText} from '#app/format/ui-glyphs.ts';
import {fittedLine, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import type {Warning, WarningFix} from '#app/warnings/send-warnings.ts';
import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';

/** What is said below the text: what stops it or should be known, what can be done with it, what is under way. */
export function noticeLines(frame: Frame, columns: number): readonly UiLine[] {
  const {account, screen, display: looks} = frame;
  const said = (text: string, role: UiSpan['role']) =>
    fittedLine([{text: plainGlyphText(text, looks), role}], columns);
  const {composer} = screen;
  const {warnings, pastePrompt: offer, upload, delayedSend: pending} = composer;
  const lines = [...warningLines(warnings, columns)];
  if (offer !== undefined) lines.push(pastePromptLine(frame, offer, columns));
  if (upload !== undefined) {
    const text = ` ${upload.name} · ${upload.percent} % uploaded · Ctrl-C cancels`;
    lines.push(said(text, 'progress'));
  }
  if (pending !== undefined) {
    const where = conversationTitle(account, pending.conversation);
    const text = ` Leaves for ${where} within ${pending.seconds} s · Ctrl-_ or Z takes it back`;
    lines.push(said(text, 'pending'));
  }
  const others = composer.editing === undefined ? otherDrafts(account, composer).length : 0;
  if (others > 0) {
    const text = ` ${others} more ${others === 1 ? 'draft' : 'drafts'} · d`;
    lines.push(said(text, 'draft'));
  }
  return lines;
}

function warningLines(warnings: readonly Warning[], columns: number): readonly UiLine[] {
  const isBlocked = warnings.some(({isBlocking}) => isBlocking);
  const lines = warnings.flatMap(({text, fix: offer, isBlocking}) => {
    const spans: UiSpan[] = [{text: sanitizeText(text), role: isBlocking ? 'error' : 'warning'}];
    if (offer !== undefined) spans.push({text: ` ${warningFixText(offer)}`, role: 'hint'});
    return wrapSpans(spans, {
      width: columns,
      first: [{text: ' ! ', role: isBlocking ? 'error' : 'warning', bold: true}],
      rest: [{text: '   ', role: 'text'}],
    });
  });
  if (lines.length > 0 && !isBlocked)
    lines.push(fittedLine([{text: ' Enter again to send', role: 'hint'}], columns));
  return lines;
}

function warningFixText(offer: WarningFix): string {
  return offer.kind === 'subscribe' ? 's adds them.' : 'u takes it up again.';
}

function pastePromptLine({display: looks}: Frame, offer: PastePrompt, columns: number): UiLine {
  const [words, keys] =
    offer.kind === 'paste'
      ? [` ${offer.lines} lines pasted`, ' — f code block · a attach as a file · Enter keep']
      : [` Attach ${fileNames(offer.paths)}?`, ' — y attach · Enter keep the path'];
  return fittedLine(
    [
      {text: words, role: 'text'},
      {text: plainGlyphText(keys, looks), role: 'hint'},
    ],
    columns,
  );
}

function fileNames(paths: readonly string[]): string {
  const [first = ''] = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  return paths.length === 1 ? first : `${paths.length} files`;
}
