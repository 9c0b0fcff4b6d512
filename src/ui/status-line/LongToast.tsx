import {memo} from 'react';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines} from '#ui/Lines.tsx';
import {longToast, toastPanel} from './status-line.ts';

/** A toast that needs more than one row: in front of everything. */
export const LongToast = memo(function LongToast() {
  const toast = useSelectEqual(longToast);
  const display = useSelect((snapshot) => snapshot.display);
  const panel = toast && toastPanel(toast, display);
  return panel === undefined ? null : <Lines label="Status" {...panel} isFloating />;
});
