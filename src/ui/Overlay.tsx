import {type ComponentType, memo} from 'react';
import type {OverlayState} from '#ui/core/overlay.ts';
import {formContent} from '#ui/forms/form-lines.ts';
import {useScreen} from '#ui/hooks/use-select.ts';
import {cardContent} from '#ui/overlays/card-content.ts';
import {textBox} from '#ui/overlays/overlay-box.ts';
import {pickerBox, pickerContent} from '#ui/overlays/picker-lines.ts';
import {FloatingPart} from './Lines.tsx';
import {overlayCursor, selectedOverlayRows} from './overlay-position.ts';
import type {FloatingPart as Floating} from './part.ts';

const parts: Readonly<Record<OverlayState['kind'], ComponentType>> = {
  /** Rows to choose one from, with a field that filters them or, in a menu, a key for each. */
  picker: () => <FloatingPart select={pickerContent} boxOf={pickerBox} />,
  /** Lines to read. */
  card: () => <FloatingPart select={cardContent} boxOf={textBox} />,
  /** Fields to change and save together. */
  form: () => <FloatingPart select={formContent} boxOf={textBox} />,
};

/** The picker, card or form on top. */
export const Overlay = memo(function Overlay() {
  const kind = useScreen((screen) => screen.overlays.at(-1)?.kind);
  const Part = kind && parts[kind];
  return Part === undefined ? null : <Part />;
});

export const overlayPart: Floating = {
  id: 'overlay',
  component: Overlay,
  editedText: overlayCursor,
  selectedRows: selectedOverlayRows,
};
