import {sameArguments} from '#std/memo.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {toastPanelLines, toastPanelRect} from './toast-panel.ts';

/** A toast that needs more than one row: in front of everything. */
export function LongToast() {
  const rect = useSelectEqual(toastPanelRect);
  return rect === undefined ? null : <ToastLines rect={rect} />;
}

function ToastLines({rect}: PartProps) {
  const lines = useSelect((snapshot) => toastPanelLines(snapshot, rect), sameArguments);
  return <Lines rect={rect} label="Status" lines={lines} isFloating />;
}
