import type {Frame} from '#ui/core/frame.ts';
import type {CursorPosition, SelectedRows, SpokenRows} from '#ui/layout/layout.ts';
import {overlayPart} from './Overlay.tsx';
import type {PartCursor} from './part.ts';
import {floatingParts, paneParts, partsAfter, partsBefore} from './parts.tsx';
import {screenLayout} from './screen-layout.ts';

/**
 * The terminal cursor's position: in the text being edited, where input methods follow it, or else at the selected row or
 * message, where screen readers and braille displays do.
 */
export function terminalCursorPosition(frame: Frame): CursorPosition | undefined {
  const layout = screenLayout(frame);
  if (layout.size === 'tooSmall') return undefined;
  const edited = fromParts(frame, (part) => part.editedText?.(frame, layout));
  const isSpoken = frame.display.glyphs === 'words';
  if (edited !== undefined && !isSpoken) return edited;
  const selected = fromParts(frame, (part) => part.selectedRows?.(frame, layout));
  if (!isSpoken) return selected && {x: selected.x, y: selected.y, isHidden: true};
  const at = edited ?? selected;
  return at && {x: at.x, y: at.y, spoken: {...spokenRows(selected), editedRow: edited?.y}};
}

function spokenRows({key = '', y, rows, leadRows = 0, rowsAfter = 0}: SelectedRows = nothing): SpokenRows {
  return key === '' ? {key, y: 0, rows: 0, rowsAfter: 0} : {key, y: y - leadRows, rows: rows + leadRows, rowsAfter};
}

const nothing: SelectedRows = {x: 0, y: 0, rows: 0};

/** Returns the first answer of a part, from the topmost one down. While an overlay is open, no other part has the keys. */
function fromParts<T>({screen}: Frame, ask: (part: PartCursor) => T | undefined): T | undefined {
  if (screen.overlays.length > 0) return ask(overlayPart);
  for (const part of topmostFirst) {
    const answer = ask(part);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

const topmostFirst: readonly PartCursor[] = [...partsBefore, ...paneParts, ...partsAfter, ...floatingParts].reverse();
