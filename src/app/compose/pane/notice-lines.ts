import type {ComposerOffer} from '#app/compose/composer-state.ts';
import {otherDrafts} from '#app/compose/conversation-drafts.ts';
import type {Frame} from '#app/core/frame.ts';
import {plainSignText} from '#app/format/ui-glyphs.ts';
import {row, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import type {Offer, Warning} from '#app/warnings/send-warnings.ts';
import {shownText} from '#content/styled-text/sanitize-text.ts';
import {wrap} from '#content/styled-text/wrap.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';

/** What is said below the text: what stops it or should be known, what can be done with it, what is under way. */
export function noticeLines(frame: Frame, columns: number): readonly UiLine[] {
  const {account, screen, looks} = frame;
  const said = (text: string, role: UiSpan['role']) =>
    row([{text: plainSignText(text, looks), role}], columns);
  const {composer} = screen;
  const {warnings, offer, upload, pending} = composer;
  const lines = [...warningLines(warnings, columns)];
  if (offer !== undefined) lines.push(offerLine(frame, offer, columns));
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
  const lines = warnings.flatMap(({text, offer, isBlocking}) => {
    const spans: UiSpan[] = [{text: shownText(text), role: isBlocking ? 'error' : 'warning'}];
    if (offer !== undefined) spans.push({text: ` ${offerWords(offer)}`, role: 'hint'});
    return wrap(spans, {
      width: columns,
      first: [{text: ' ! ', role: isBlocking ? 'error' : 'warning', bold: true}],
      rest: [{text: '   ', role: 'text'}],
    });
  });
  if (lines.length > 0 && !isBlocked)
    lines.push(row([{text: ' Enter again to send', role: 'hint'}], columns));
  return lines;
}

function offerWords(offer: Offer): string {
  return offer.kind === 'subscribe' ? 's adds them.' : 'u takes it up again.';
}

function offerLine({looks}: Frame, offer: ComposerOffer, columns: number): UiLine {
  const [words, keys] =
    offer.kind === 'paste'
      ? [` ${offer.lines} lines pasted`, ' — f code block · a attach as a file · Enter keep']
      : [` Attach ${fileNames(offer.paths)}?`, ' — y attach · Enter keep the path'];
  return row(
    [
      {text: words, role: 'text'},
      {text: plainSignText(keys, looks), role: 'hint'},
    ],
    columns,
  );
}

function fileNames(paths: readonly string[]): string {
  const [first = ''] = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  return paths.length === 1 ? first : `${paths.length} files`;
}
