import {sameArguments} from '#std/memo.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {overlayLines, overlayRect} from './overlay-lines.ts';

/** The picker, card or form on top. */
export function Overlay() {
  const rect = useSelectEqual(overlayRect);
  return rect === undefined ? null : <OverlayBox rect={rect} />;
}

function OverlayBox({rect}: PartProps) {
  const lines = useSelect(overlayLines, sameArguments);
  return <Lines rect={rect} label="Menu" lines={lines} isFloating />;
}
