import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines} from '#ui/Lines.tsx';
import {textBoxLines} from '#ui/overlays/overlay-box.ts';
import {formContent} from './form-layout.ts';

/** Fields to change and save together. */
export function Form() {
  const form = useSelectEqual(formContent);
  const display = useSelect((snapshot) => snapshot.display);
  if (form === undefined) return null;
  return <Lines rect={form.layout.rect} label="Form" lines={textBoxLines(form, display)} isFloating />;
}
