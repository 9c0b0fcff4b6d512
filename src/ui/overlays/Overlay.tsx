import {type ComponentType, memo} from 'react';
import type {OverlayState} from '#ui/core/overlay.ts';
import {formContent} from '#ui/forms/form-layout.ts';
import {useScreen} from '#ui/hooks/use-screen.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines} from '#ui/Lines.tsx';
import {cardContent} from './cards.ts';
import {textBoxLines} from './overlay-box.ts';
import {pickerContent, pickerLines} from './picker-lines.ts';

const parts: Readonly<Record<OverlayState['kind'], ComponentType>> = {picker: Picker, card: Card, form: Form};

/** The picker, card or form on top. */
export const Overlay = memo(function Overlay() {
  const kind = useScreen((screen) => screen.overlays.at(-1)?.kind);
  const Part = kind && parts[kind];
  return Part === undefined ? null : <Part />;
});

/** Lines to read. */
function Card() {
  const card = useSelectEqual(cardContent);
  const display = useSelect((snapshot) => snapshot.display);
  if (card === undefined) return null;
  return <Lines rect={card.layout.rect} label="Card" lines={textBoxLines(card, display)} isFloating />;
}

/** Rows to choose one from, with a field that filters them or, in a menu, a key for each. */
function Picker() {
  const picker = useSelectEqual(pickerContent);
  const display = useSelect((snapshot) => snapshot.display);
  if (picker === undefined) return null;
  return <Lines rect={picker.layout.rect} label="Menu" lines={pickerLines(picker, display)} isFloating />;
}

/** Fields to change and save together. */
function Form() {
  const form = useSelectEqual(formContent);
  const display = useSelect((snapshot) => snapshot.display);
  if (form === undefined) return null;
  return <Lines rect={form.layout.rect} label="Form" lines={textBoxLines(form, display)} isFloating />;
}
