import {memo, useRef} from 'react';
import type {Frame} from '#app/frame.ts';
import type {Rect} from '#app/layout.ts';
import type {PaneLine} from '#app/pane-line.ts';
import {LinesPane} from './ink/LinesPane.tsx';
import {paintedLines} from './paint.ts';
import {useFrame} from './use-frame.ts';

/** The lines of a pane at its size. Pure; never more lines than rows, none wider than the columns. */
export type PaneLines = (frame: Frame, rect: Rect) => readonly PaneLine[];

interface Props {
  readonly rect: Rect;
  readonly lines: PaneLines;
  /** For screen readers. */
  readonly label: string;
}

/** A part of the screen that shows lines and nothing else. Drawn again only when one of them is another. */
export const Pane = memo(function Pane({rect, lines, label}: Props) {
  const before = useRef<readonly string[] | undefined>(undefined);
  const shown = useFrame((frame) => {
    before.current = paintedLines(lines(frame, rect), frame.looks, before.current);
    return before.current;
  });
  return <LinesPane width={rect.columns} height={rect.rows} lines={shown} label={label} />;
});
