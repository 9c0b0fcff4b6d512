import {useMemo} from 'react';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {statusContent, statusLine} from './status-line.ts';

interface StatusLineProps extends PartProps {
  /** Whether it lies over the first row, on a low screen. */
  readonly isFloating?: boolean;
}

/** The last row: the mode and the keys of this moment, or a toast. */
export function StatusLine({rect, isFloating = false}: StatusLineProps) {
  const content = useSelectEqual(statusContent);
  const display = useSelect((snapshot) => snapshot.display);
  const {columns} = rect;
  const lines = useMemo(() => [statusLine(content, columns, display)], [content, columns, display]);
  return <Lines rect={rect} label="Status" lines={lines} isFloating={isFloating} />;
}
