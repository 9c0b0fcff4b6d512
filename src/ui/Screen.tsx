import {Box, useCursor} from 'ink';
import {useContext, useMemo} from 'react';
import type {PaneLine} from '#ui/core/frame.ts';
import type {Size} from '#ui/core/screen-state.ts';
import {AppContext, useScreen, useSelectEqual} from '#ui/hooks/use-select.ts';
import type {Layout} from '#ui/layout/layout.ts';
import {fittedLine} from '#ui/layout/ui-line.ts';
import {missingPaneLines, missingPaneText, otherPaneFrame} from '#ui/other-pane/other-pane-frame.ts';
import {Tour} from '#ui/tour/Tour.tsx';
import {Lines, LinesPart, type PartProps} from './Lines.tsx';
import type {FloatingPart, Part} from './part.ts';
import {floatingParts, paneParts, partsAfter, partsBefore} from './parts.tsx';
import {screenLayout} from './screen-layout.ts';
import {terminalCursorPosition} from './terminal-cursor.ts';

/** The whole screen: every part in its rectangle, together exactly as large as the terminal. */
export function Screen() {
  const layout = useSelectEqual(screenLayout);
  const {columns, rows} = useScreen((screen) => screen.size);
  const tourRows = useScreen((screen) => screen.tour?.lines.length ?? 0);
  return (
    <Box width={columns} height={rows + tourRows} overflow="hidden">
      {layout.size === 'tooSmall' ? <TooSmall /> : <Parts layout={layout} />}
      <Tour />
      <TerminalCursor />
    </Box>
  );
}

/** Places the terminal's cursor. A component of its own, because it renders whenever the cursor moves, which concerns no part. */
function TerminalCursor() {
  useCursor().setCursorPosition(useSelectEqual(terminalCursorPosition));
  return null;
}

/** All parts, in the order in which they are painted: later ones may cover earlier ones. */
function Parts({layout}: LayoutProps) {
  return (
    <>
      <Placed parts={partsBefore} layout={layout} />
      <Placed parts={paneParts} layout={layout} />
      {layout.other && <SecondPane rect={layout.other} />}
      <Placed parts={partsAfter} layout={layout} />
      <Placed parts={floatingParts} layout={layout} />
    </>
  );
}

interface LayoutProps {
  readonly layout: Layout;
}

interface PlacedProps extends LayoutProps {
  readonly parts: readonly (Part | FloatingPart)[];
}

/** Parts in their rectangles, as far as the layout has one for them. */
function Placed({parts, layout}: PlacedProps) {
  return parts.map((part) => {
    if (!('place' in part)) return <part.component key={part.id} />;
    const {id, component: Part, place, isFloating} = part;
    const rect = place(layout);
    return rect && <Part key={id} rect={rect} isFloating={isFloating?.(layout) ?? false} />;
  });
}

/** The pane without the focus, or why it shows nothing. */
function SecondPane({rect}: PartProps) {
  const isMissing = useSelectEqual((frame) => missingPaneText(frame) !== undefined);
  return isMissing ? <LinesPart rect={rect} select={missingPaneText} linesOf={missingPaneLines} /> : <OtherPane />;
}

/** The pane without the focus: the same parts, which read its own frame. */
function OtherPane() {
  const app = useContext(AppContext);
  const provider = useMemo(
    () =>
      app && {
        frames: {
          get paintedFrame() {
            const {paintedFrame} = app.frames;
            // Hidden since the last paint: this paint removes the pane.
            return otherPaneFrame(paintedFrame) ?? paintedFrame;
          },
          subscribe: app.frames.subscribe,
        },
      },
    [app],
  );
  return (
    <AppContext value={provider}>
      <LaidOutPane />
    </AppContext>
  );
}

function LaidOutPane() {
  return <Placed parts={paneParts} layout={useSelectEqual(screenLayout)} />;
}

/** The sentence in place of a screen that is too small for anything else. */
function TooSmall() {
  const size = useScreen((screen) => screen.size);
  const rect = {x: 0, y: 0, ...size};
  return <Lines rect={rect} lines={tooSmallLines(size)} />;
}

/** Shown instead of everything else; the state underneath stays. */
export function tooSmallLines({columns, rows}: Size): readonly PaneLine[] {
  return [
    fittedLine([{text: 'Too small', role: 'title'}], columns),
    fittedLine([{text: '(need 30×8)', role: 'dim'}], columns),
  ].slice(0, rows);
}
