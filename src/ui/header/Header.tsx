import {useSelect} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {headerLine} from './header-line.ts';

/** The first row: the view, what is unread in it, and the connection. */
export function Header({rect}: PartProps) {
  const line = useSelect(headerLine);
  return <Lines rect={rect} label="Header" lines={[line]} />;
}
