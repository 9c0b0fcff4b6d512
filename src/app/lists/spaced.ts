import type {Frame} from '#app/core/frame.ts';
import {blankLine, type UiLine} from '#app/layout/ui-line.ts';

/** From this height on there is a line between the head of a list and its rows. */
const spacedRows = 16;

export function withSpaceBelow({screen}: Frame, head: readonly UiLine[]): readonly UiLine[] {
  return screen.size.rows < spacedRows ? head : [...head, blankLine];
}
