import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {fittedLine, type UiLine} from '#app/layout/ui-line.ts';
import {personPresence} from '#app/lists/direct-presence.ts';
import {presenceSpans} from '#app/lists/navigation-row.ts';
import {paragraph} from '#app/overlays/card-lines.ts';
import {openLoadingCard} from '#app/overlays/loading-card.ts';
import type {Message} from '#state/model/message.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {userName} from '#state/selectors/names/names.ts';

/** Who has read a message, as far as they let it be known. */
export function openReceipts(app: App, {id}: Pick<Message, 'id'>): void {
  openLoadingCard(app, {
    id: 'receipts',
    title: (readers) => (readers === undefined ? 'Read by' : `Read by ${peopleText(readers.length)}`),
    columns: 48,
    hint: 'Esc closes',
    ask: app.session.fetchReadReceipts(id),
    lines: receiptLines,
  });
}

function peopleText(count: number): string {
  return count === 0 ? 'nobody yet' : count === 1 ? 'one person' : `${count} people`;
}

export function receiptLines(frame: Frame, width: number, readers: readonly number[]): readonly UiLine[] {
  if (readers.length === 0) {
    return paragraph('Nobody has read this message yet, or those who have do not say so.', 'dim', width);
  }
  const glyphs = uiGlyphs(frame.display);
  return sortedByName(readers, (id) => userName(frame.account, id)).map((id) => {
    const presence = personPresence(frame, id);
    const start =
      presence === undefined ? [{text: '  ', role: 'text'} as const] : presenceSpans(presence, glyphs);
    return fittedLine(
      [
        ...start,
        {text: userName(frame.account, id), role: 'text'},
        {text: id === frame.account.self.userId ? ' (you)' : '', role: 'dim'},
      ],
      width,
      glyphs.ellipsis,
    );
  });
}
