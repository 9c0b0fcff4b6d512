import {LinesPart, type PartProps} from '#ui/Lines.tsx';
import {headerContent, headerLine} from './header-line.ts';

/** The first row: the view, what is unread in it, and the connection. */
export function Header({rect}: PartProps) {
  return <LinesPart rect={rect} label="Header" select={headerContent} linesOf={(...shown) => [headerLine(...shown)]} />;
}
