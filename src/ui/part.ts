import type {ComponentType} from 'react';
import type {Frame} from '#ui/core/frame.ts';
import type {CursorPosition, Layout, Rect, SelectedRows} from '#ui/layout/layout.ts';
import type {LayeredPartProps, PartProps} from './Lines.tsx';

/** A part of the screen. What the mouse and typed text do in it is said in the layer above (`app/part-inputs.ts`). */
export interface Part extends PartCursor {
  /** Unique among the parts. */
  readonly id: string;
  readonly component: ComponentType<LayeredPartProps>;
  /** Returns where it is shown, if at all. */
  place(layout: Layout): Rect | undefined;
  /** Whether it covers what is painted before it. */
  isFloating?(layout: Layout): boolean;
}

/** Where the terminal's cursor is in a part, for input methods, screen readers and braille displays. */
export interface PartCursor {
  /** Returns the position in the text that is edited in the part now. */
  editedText?(frame: Frame, layout: Layout): CursorPosition | undefined;
  /** Returns the rows of the part that show what the next key acts on; undefined while another part has the keys. */
  selectedRows?(frame: Frame, layout: Layout): SelectedRows | undefined;
}

/** A part that finds its own place, such as a menu over the others. */
export interface FloatingPart extends PartCursor {
  readonly id: string;
  readonly component: ComponentType;
}

/** What the main pane shows for one kind of view. */
export interface ViewPart extends PartCursor {
  readonly component: ComponentType<PartProps>;
}

export function firstRow(rect: Rect | undefined, row = 0): SelectedRows | undefined {
  return rect && {x: rect.x, y: rect.y + Math.min(row, rect.rows - 1), rows: 1};
}
