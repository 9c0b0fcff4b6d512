import {type ComponentType, memo} from 'react';
import type {OverlayState} from '#ui/core/overlay.ts';
import {Form} from '#ui/forms/Form.tsx';
import {useScreen} from '#ui/hooks/use-screen.ts';
import {Card} from './Card.tsx';
import {Picker} from './Picker.tsx';

const parts: Readonly<Record<OverlayState['kind'], ComponentType>> = {picker: Picker, card: Card, form: Form};

/** The picker, card or form on top. */
export const Overlay = memo(function Overlay() {
  const kind = useScreen((screen) => screen.overlays.at(-1)?.kind);
  const Part = kind && parts[kind];
  return Part === undefined ? null : <Part />;
});
