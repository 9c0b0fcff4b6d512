import type {Frame} from '#ui/core/frame.ts';
import {formContent, formCursor} from '#ui/forms/form-layout.ts';
import type {CursorPosition, Rect} from '#ui/layout/layout.ts';
import {cardContent} from './cards.ts';
import {pickerContent, pickerCursor} from './picker-lines.ts';

/** Returns the rectangle of the top overlay; undefined when there is none. */
export function overlayRect(frame: Frame): Rect | undefined {
  return (pickerContent(frame) ?? cardContent(frame) ?? formContent(frame))?.layout.rect;
}

export function overlayCursor(frame: Frame): CursorPosition | undefined {
  return pickerCursor(frame) ?? formCursor(frame);
}
