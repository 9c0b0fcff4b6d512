import {useSelect} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {statusLine} from './status-line.ts';

interface StatusLineProps extends PartProps {
  /** Whether it lies over the first row, on a low screen. */
  readonly isFloating?: boolean;
}

/** The last row: the mode and the keys of this moment, or a toast. */
export function StatusLine({rect, isFloating = false}: StatusLineProps) {
  const line = useSelect(statusLine);
  return <Lines rect={rect} label="Status" lines={[line]} isFloating={isFloating} />;
}
