import {distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import type {Frame} from '#ui/core/frame.ts';
import {fittedLine, type UiLine} from '#ui/layout/ui-line.ts';
import {personPresence, presenceSpans} from '#ui/lists/navigation-row.ts';
import {paragraph} from '#ui/overlays/card-lines.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';

/** Returns the people who have read a message, a line for each. */
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
