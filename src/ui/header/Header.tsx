import {useMemo} from 'react';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {headerContent} from './header-content.ts';
import {headerLine} from './header-line.ts';

/** The first row: the view, what is unread in it, and the connection. */
export function Header({rect}: PartProps) {
  const content = useSelectEqual(headerContent);
  const display = useSelect((snapshot) => snapshot.display);
  const {columns} = rect;
  const lines = useMemo(() => [headerLine(content, columns, display)], [content, columns, display]);
  return <Lines rect={rect} label="Header" lines={lines} />;
}
