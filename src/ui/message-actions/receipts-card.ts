import type {Message} from '#state/model/message.ts';
import {distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {fittedLine, type UiLine} from '#ui/layout/ui-line.ts';
import {personPresence, presenceSpans} from '#ui/lists/navigation-row.ts';
import {openLoadingCard, paragraph} from '#ui/overlays/cards.ts';

/** Opens a card with the people who have read the message and share read receipts. */
export function openReceipts(app: App, {id}: Pick<Message, 'id'>): void {
  openLoadingCard(app, {
    id: 'receipts',
    title: (readers) => (readers === undefined ? 'Read by' : `Read by ${peopleText(readers.length)}`),
    columns: 48,
    hint: {Esc: 'closes'},
    ask: () => app.session.fetchReadReceipts(id),
    lines: receiptLines,
  });
}

function peopleText(count: number): string {
  return count === 0 ? 'no one yet' : count === 1 ? '1 person' : `${count} people`;
}

export function receiptLines(frame: Frame, width: number, readers: readonly number[]): readonly UiLine[] {
  if (readers.length === 0) {
    return paragraph('No one who shares read receipts has read this message yet.', 'dim', width);
  }
  const glyphs = uiGlyphs(frame.display);
  return sortedByName(readers, (id) => userName(frame.account, id)).map((id) => {
    const presence = personPresence(frame, id);
    const start = presence === undefined ? [{text: '  ', role: 'text'} as const] : presenceSpans(presence, glyphs);
    return fittedLine(
      [
        ...start,
        {text: distinctUserName(frame.account, id), role: 'text'},
        {text: id === frame.account.self.userId ? ' (you)' : '', role: 'dim'},
      ],
      width,
      glyphs.ellipsis,
    );
  });
}
