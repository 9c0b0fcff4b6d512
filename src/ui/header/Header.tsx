import {LinesPart, type PartProps} from '#ui/Lines.tsx';
import {firstRow, type Part} from '#ui/part.ts';
import {headerContent, headerLine} from './header-line.ts';

/** The first row: the view, what is unread in it, and the connection. */
export function Header({rect}: PartProps) {
  return <LinesPart rect={rect} select={headerContent} linesOf={(...shown) => [headerLine(...shown)]} />;
}

export const headerPart: Part = {
  id: 'header',
  component: Header,
  place: ({header}) => header,
  selectedRows: ({screen}, {header}) => (screen.focus === 'connection' ? firstRow(header) : undefined),
};
