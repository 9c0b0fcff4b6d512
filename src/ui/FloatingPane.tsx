import type {Frame} from '#app/core/frame.ts';
import type {Rect} from '#app/layout/layout.ts';
import {FloatingBox} from '#ui/ink/FloatingBox.tsx';
import {CachedMessagePane, type PaneLines} from './Pane.tsx';
import {useFrame} from './use-frame.ts';
import {useStableSelector} from './use-steady.ts';

interface Props {
  /** Where it lies; undefined while it is not there. */
  readonly place: (frame: Frame) => Rect | undefined;
  readonly lines: PaneLines;
  readonly label: string;
}

/** A pane over everything that comes before it. */
export function FloatingPane({place, lines, label}: Props) {
  const rect = useFrame(useStableSelector(place));
  if (rect === undefined) return null;
  return (
    <FloatingBox left={rect.x} top={rect.y} width={rect.columns} height={rect.rows}>
      <CachedMessagePane rect={rect} lines={lines} label={label} />
    </FloatingBox>
  );
}
