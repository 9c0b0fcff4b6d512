import type {Frame} from '#ui/core/frame.ts';
import {formContent, formCursor, selectedFormRows} from '#ui/forms/form-lines.ts';
import type {CursorPosition, Rect, SelectedRows} from '#ui/layout/layout.ts';
import {cardContent} from '#ui/overlays/card-content.ts';
import {pickerContent, pickerCursor, selectedPickerRow} from '#ui/overlays/picker-lines.ts';

/** Returns the rectangle of the top overlay; undefined when there is none. */
export function overlayRect(frame: Frame): Rect | undefined {
  return (pickerContent(frame) ?? cardContent(frame) ?? formContent(frame))?.layout.rect;
}

/** Returns where the terminal cursor is in the text of the top overlay; undefined when no text is edited there. */
export function overlayCursor(frame: Frame): CursorPosition | undefined {
  return pickerCursor(frame) ?? formCursor(frame);
}

/** Returns the chosen row of a picker, the focused field of a form, or the first visible line of a card. */
export function selectedOverlayRows(frame: Frame): SelectedRows | undefined {
  const selected = selectedPickerRow(frame) ?? selectedFormRows(frame);
  if (selected !== undefined) return selected;
  const card = cardContent(frame)?.layout;
  return card && {x: card.rect.x + (card.hasSides ? 1 : 0) + 1, y: card.rect.y + card.bodyRow, rows: 1};
}
