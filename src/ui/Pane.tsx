import {memo, useRef} from 'react';
import type {Frame} from '#ui/core/frame.ts';
import type {PaneLine} from '#ui/core/pane-line.ts';
import type {Rect} from '#ui/layout/layout.ts';
import {LinesPane} from './ink/LinesPane.tsx';
import {paintLines} from './paint-lines.ts';
import type {PaneContent} from './panes.ts';
import {useFrame} from './use-frame.ts';

interface Props extends PaneContent {
  readonly rect: Rect;
}

interface PaintedPane extends Pick<Props, 'rect' | 'lines'> {
  readonly frame: Frame;
  readonly unpainted: readonly PaneLine[];
  readonly painted: readonly string[];
}

/**
 * A rectangle of the screen that shows lines. It renders again only when one of its lines has changed. React calls the
 * selector about three times for each frame; the lines are computed once.
 */
export const Pane = memo(function Pane({rect, lines, label}: Props) {
  const lastPainted = useRef<PaintedPane | undefined>(undefined);
  const painted = useFrame((frame) => {
    const last = lastPainted.current;
    if (last?.frame === frame && last.rect === rect && last.lines === lines) return last.painted;
    const unpainted = lines(frame, rect);
    const isSame = unpainted === last?.unpainted && frame.display === last.frame.display;
    const next = isSame ? last.painted : paintLines(unpainted, frame.display, last?.painted);
    lastPainted.current = {frame, rect, lines, unpainted, painted: next};
    return next;
  });
  return <LinesPane width={rect.columns} height={rect.rows} lines={painted} label={label} />;
});
