import {Box, useCursor} from 'ink';
import {type ComponentType, memo, useContext, useMemo} from 'react';
import {bannerContent, bannerLines} from './banner/banner-lines.ts';
import {ChannelList} from './channel-list/ChannelList.tsx';
import {completionMenuLines, completionMenuRect} from './completion-menu/completion-menu.ts';
import {Composer} from './composer/Composer.tsx';
import type {PaneLine, View} from './core/frame.ts';
import type {Size} from './core/screen-state.ts';
import {DraftsPanel} from './drafts-panel/DraftsPanel.tsx';
import {headerContent, headerLine} from './header/header-line.ts';
import {AppContext, useScreen, useSelect, useSelectEqual} from './hooks/use-select.ts';
import {Inbox, Triage} from './inbox/Inbox.tsx';
import {FloatingPart, type LayeredPartProps, Lines, LinesPart, ListPart, type PartProps, Rule} from './Lines.tsx';
import type {Layout} from './layout/layout.ts';
import {screenLayout} from './layout/screen-layout.ts';
import {fittedLine} from './layout/ui-line.ts';
import {MessagePane} from './message-pane/MessagePane.tsx';
import {otherPaneFrame, paneHead, paneHeadLine} from './other-pane/other-pane-frame.ts';
import {Overlay} from './overlays/Overlay.tsx';
import {
  keyContinuations,
  keyPanel,
  longToast,
  statusContent,
  statusLine,
  toastPanel,
} from './status-line/status-line.ts';
import {terminalCursorPosition} from './terminal-cursor.ts';
import {TopicList} from './topic-list/TopicList.tsx';
import {Tour} from './tour/Tour.tsx';

/** The people of the organization, those who are here first. */
function PeopleList({rect}: PartProps) {
  return <ListPart rect={rect} id="people" label="People" />;
}

/** What the main pane shows, by the kind of the view. */
const mainParts: Readonly<Record<View['kind'], ComponentType<PartProps>>> = {
  inbox: Inbox,
  triage: Triage,
  recent: ({rect}) => <ListPart rect={rect} id="recent" label="Recent conversations" />,
  catchUp: ({rect}) => <ListPart rect={rect} id="catchUp" label="Catch up" />,
  directs: ({rect}) => <ListPart rect={rect} id="directs" label="Direct messages" />,
  topics: TopicList,
  channels: ({rect}) => <ListPart rect={rect} id="browser" label="All channels" />,
  people: PeopleList,
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
      {people && <PeopleList rect={people} />}
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

/** Above the messages: that nothing can be written, or that the channel is not subscribed or not accessible. */
export function Banner({rect}: PartProps) {
  return <LinesPart rect={rect} label="Banner" select={bannerContent} linesOf={bannerLines} />;
}

/** The first row: the view, what is unread in it, and the connection. */
export function Header({rect}: PartProps) {
  return <LinesPart rect={rect} label="Header" select={headerContent} linesOf={(...shown) => [headerLine(...shown)]} />;
}

/** People, channels, topics, emoji and commands that complete the text at the cursor. */
export const CompletionMenu = memo(function CompletionMenu() {
  const rect = useSelectEqual(completionMenuRect);
  const menu = useScreen((screen) => screen.composer.menu);
  const display = useSelect((snapshot) => snapshot.display);
  if (rect === undefined || menu === undefined) return null;
  return <Lines rect={rect} label="Completions" lines={completionMenuLines(menu, rect, display)} isFloating />;
});

/** The last row: the mode and the keys of this moment, or a toast. On a low screen it lies over the first row. */
export function StatusLine(props: LayeredPartProps) {
  return (
    <LinesPart
      {...props}
      staysBright
      label="Status"
      select={statusContent}
      linesOf={(...shown) => [statusLine(...shown)]}
    />
  );
}

/** The keys that can follow the pressed ones, while a key sequence is incomplete. */
export function KeyPanel() {
  return <FloatingPart label="Keys" select={keyContinuations} boxOf={keyPanel} />;
}

/** A toast that needs more than one row: in front of everything. */
export function LongToast() {
  return <FloatingPart label="Status" select={longToast} boxOf={toastPanel} />;
}
