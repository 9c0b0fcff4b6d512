import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines} from '#ui/Lines.tsx';
import {pickerContent, pickerLines} from './picker-lines.ts';

/** Rows to choose one from, with a field that filters them or, in a menu, a key for each. */
export function Picker() {
  const picker = useSelectEqual(pickerContent);
  const display = useSelect((snapshot) => snapshot.display);
  if (picker === undefined) return null;
  return <Lines rect={picker.layout.rect} label="Menu" lines={pickerLines(picker, display)} isFloating />;
}
