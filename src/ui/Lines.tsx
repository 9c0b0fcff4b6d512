import {Box} from 'ink';
import {memo, useRef} from 'react';
import type {PaneLine} from './core/pane-line.ts';
import {useSelect} from './hooks/use-select.ts';
import {FloatingBox} from './ink/FloatingBox.tsx';
import {LinesPane} from './ink/LinesPane.tsx';
import type {Rect} from './layout/layout.ts';
import {paintLines} from './paint-lines.ts';

/** What each part of the screen is given: where it is. */
export interface PartProps {
  readonly rect: Rect;
}

interface LinesProps extends PartProps {
  /** Never more than there are rows, none wider than the columns. */
  readonly lines: readonly PaneLine[];
  /** The name that a screen reader reads instead of the lines. */
  readonly label: string;
  /** Whether it covers what is painted before it, also where its lines are blank. */
  readonly isFloating?: boolean;
}

/** Places lines in their rectangle, in the colours of the theme. Renders again only when a line has changed. */
export const Lines = memo(function Lines({rect, lines, label, isFloating = false}: LinesProps) {
  const display = useSelect((snapshot) => snapshot.display);
  const lastPainted = useRef<readonly string[]>(undefined);
  const painted = paintLines(lines, display, lastPainted.current);
  lastPainted.current = painted;
  const {x: left, y: top, columns: width, rows: height} = rect;
  const pane = <LinesPane width={width} height={height} lines={painted} label={label} />;
  return isFloating ? (
    <FloatingBox left={left} top={top} width={width} height={height}>
      {pane}
    </FloatingBox>
  ) : (
    <Box position="absolute" left={left} top={top} width={width} height={height}>
      {pane}
    </Box>
  );
});
