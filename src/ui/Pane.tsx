import {memo, useRef} from 'react';
import type {Frame} from '#app/core/frame.ts';
import type {PaneLine} from '#app/core/pane-line.ts';
import type {Rect} from '#app/layout/layout.ts';
import {LinesPane} from './ink/LinesPane.tsx';
import {paintLines} from './paint-lines.ts';
import {useFrame} from './use-frame.ts';

/** The lines of a pane at its size. Pure; never more lines than rows, none wider than the columns. */
export type PaneLines = (frame: Frame, rect: Rect) => readonly PaneLine[];

interface Props {
  readonly rect: Rect;
  readonly lines: PaneLines;
  /** For screen readers. */
  readonly label: string;
}

interface PaintedPane extends Pick<Props, 'rect' | 'lines'> {
  readonly frame: Frame;
  readonly painted: readonly string[];
}

/**
 * A part of the screen that shows lines and nothing else. Drawn again only when one of them is another. React asks three
 * times about each frame; it is answered once.
 */
export const CachedMessagePane = memo(function Pane({rect, lines, label}: Props) {
  const before = useRef<PaintedPane | undefined>(undefined);
  const shown = useFrame((frame) => {
    const last = before.current;
    if (last?.frame === frame && last.rect === rect && last.lines === lines) return last.painted;
    const painted = paintLines(lines(frame, rect), frame.display, last?.painted);
    before.current = {frame, rect, lines, painted};
    return painted;
  });
  return <LinesPane width={rect.columns} height={rect.rows} lines={shown} label={label} />;
});
