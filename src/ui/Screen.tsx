import {Box, useCursor} from 'ink';
import type {Layout, Rect} from '#ui/layout/layout.ts';
import {screenLayout} from '#ui/layout/screen-layout.ts';
import {terminalCursorPosition} from '#ui/layout/terminal-cursor.ts';
import {FloatingBox} from './ink/FloatingBox.tsx';
import {Pane} from './Pane.tsx';
import {
  type FloatingPaneContent,
  floatingPanes,
  layoutPanes,
  longToastPane,
  type PaneContent,
  placedPanes,
  tooSmallPane,
  tourPane,
} from './panes.ts';
import {useFrame, useStableSelector} from './use-frame.ts';

/** The whole screen: every pane in its rectangle, together exactly as large as the terminal. */
export function Screen() {
  const layout = useFrame(useStableSelector(screenLayout));
  const cursor = useFrame(useStableSelector(terminalCursorPosition));
  const {setCursorPosition} = useCursor();
  setCursorPosition(cursor);
  const {columns, rows} = useFrame(({screen}) => screen.size);
  const tourRows = useFrame(({screen}) => screen.tour?.lines.length ?? 0);
  return (
    <Box width={columns} height={rows + tourRows} overflow="hidden">
      {layout.size === 'tooSmall' ? (
        <Pane rect={{x: 0, y: 0, columns, rows}} {...tooSmallPane} />
      ) : (
        <Panes layout={layout} />
      )}
      <PlacedPane rect={tourRows === 0 ? undefined : {x: 0, y: rows, columns, rows: tourRows}} content={tourPane} />
    </Box>
  );
}

/** All panes, in the order in which they are painted: later ones may cover earlier ones. */
function Panes({layout}: {readonly layout: Layout}) {
  const viewKind = useFrame(({screen}) => screen.view.kind);
  return (
    <>
      {placedPanes(layout, viewKind).map((pane) => (
        <PlacedPane key={`${pane.content.label}${pane.rect.x}`} {...pane} />
      ))}
      {floatingPanes.map((content) => (
        <FloatingPane key={content.label} content={content} />
      ))}
      <PlacedPane rect={layout.toast} content={layoutPanes.toast} isFloating />
      <FloatingPane content={longToastPane} />
    </>
  );
}

interface PlacedPaneProps {
  /** Undefined while the pane is not shown. */
  readonly rect: Rect | undefined;
  readonly content: PaneContent;
  /** The pane covers what is painted before it, also where its lines are blank. */
  readonly isFloating?: boolean;
}

function PlacedPane({rect, content, isFloating = false}: PlacedPaneProps) {
  if (rect === undefined) return null;
  const {x: left, y: top, columns: width, rows: height} = rect;
  const pane = <Pane rect={rect} lines={content.lines} label={content.label} />;
  return isFloating ? (
    <FloatingBox left={left} top={top} width={width} height={height}>
      {pane}
    </FloatingBox>
  ) : (
    <Box position="absolute" left={left} top={top} width={width} height={height}>
      {pane}
    </Box>
  );
}

function FloatingPane({content}: {readonly content: FloatingPaneContent}) {
  const rect = useFrame(useStableSelector(content.rect));
  return <PlacedPane rect={rect} content={content} isFloating />;
}
