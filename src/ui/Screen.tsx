import {Box, useCursor} from 'ink';
import {type ComponentType, useContext, useMemo} from 'react';
import {Banner} from './banner/Banner.tsx';
import {CatchUp} from './catch-up/CatchUp.tsx';
import {ChannelBrowser} from './channel-browser/ChannelBrowser.tsx';
import {ChannelList} from './channel-list/ChannelList.tsx';
import {CompletionMenu} from './completion-menu/CompletionMenu.tsx';
import {Composer} from './composer/Composer.tsx';
import type {PaneLine, View} from './core/frame.ts';
import type {Size} from './core/screen-state.ts';
import {DraftsPanel} from './drafts-panel/DraftsPanel.tsx';
import {Header} from './header/Header.tsx';
import {AppContext, useScreen, useSelectEqual} from './hooks/use-select.ts';
import {Inbox, Triage} from './inbox/Inbox.tsx';
import {Lines, LinesPart, type PartProps, Rule} from './Lines.tsx';
import type {Layout} from './layout/layout.ts';
import {fittedLine} from './layout/ui-line.ts';
import {MessagePane} from './message-pane/MessagePane.tsx';
import {Overlay} from './Overlay.tsx';
import {otherPaneFrame, paneHead, paneHeadLine} from './other-pane/other-pane-frame.ts';
import {People} from './people/People.tsx';
import {Directs} from './recent/Directs.tsx';
import {Recent} from './recent/Recent.tsx';
import {screenLayout} from './screen-layout.ts';
import {KeyPanel, LongToast, StatusLine} from './status-line/StatusLine.tsx';
import {terminalCursorPosition} from './terminal-cursor.ts';
import {TopicList} from './topic-list/TopicList.tsx';
import {Tour} from './tour/Tour.tsx';

/** What the main pane shows, by the kind of the view. */
const mainParts: Readonly<Record<View['kind'], ComponentType<PartProps>>> = {
  inbox: Inbox,
  triage: Triage,
  recent: Recent,
  catchUp: CatchUp,
  directs: Directs,
  topics: TopicList,
  channels: ChannelBrowser,
  people: People,
  drafts: DraftsPanel,
  messages: MessagePane,
};

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
  const {header, banner, other, people, rules, channels, topics, status, toast, isDrawer} = layout;
  return (
    <>
      {header && <Header rect={header} />}
      {banner && <Banner rect={banner} />}
      <Pane layout={layout} />
      {other && <OtherPane />}
      {people && <People rect={people} />}
      {rules.map((rect) => (
        <Rule key={rect.x} rect={rect} />
      ))}
      {channels && <ChannelList rect={channels} isFloating={isDrawer} />}
      {topics && <TopicList rect={topics} isFloating={isDrawer} />}
      {status && <StatusLine rect={status} />}
      <CompletionMenu />
      <Overlay />
      <KeyPanel />
      {toast && <StatusLine rect={toast} isFloating />}
      <LongToast />
    </>
  );
}

interface LayoutProps {
  readonly layout: Layout;
}

/** A view with its composer, and while there are two, with its name above it. */
function Pane({layout: {head, main, composer}}: LayoutProps) {
  const Main = mainParts[useScreen((screen) => screen.view.kind)];
  return (
    <>
      {head && (
        <LinesPart rect={head} label="Pane" select={paneHead} linesOf={(...shown) => [paneHeadLine(...shown)]} />
      )}
      <Main rect={main} />
      {composer && <Composer rect={composer} />}
    </>
  );
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
  return <Pane layout={useSelectEqual(screenLayout)} />;
}

/** The sentence in place of a screen that is too small for anything else. */
function TooSmall() {
  const size = useScreen((screen) => screen.size);
  const rect = {x: 0, y: 0, ...size};
  return <Lines rect={rect} label="Too small" lines={tooSmallLines(size)} />;
}

/** Shown instead of everything else; the state underneath stays. */
export function tooSmallLines({columns, rows}: Size): readonly PaneLine[] {
  return [
    fittedLine([{text: 'Too small', role: 'title'}], columns),
    fittedLine([{text: '(need 30×8)', role: 'dim'}], columns),
  ].slice(0, rows);
}
