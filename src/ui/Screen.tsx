import {Box, useCursor} from 'ink';
import {type ComponentType, memo} from 'react';
import {Banner} from './banner/Banner.tsx';
import {ChannelBrowser} from './channel-browser/ChannelBrowser.tsx';
import {ChannelList} from './channel-list/ChannelList.tsx';
import {CompletionMenu} from './completion-menu/CompletionMenu.tsx';
import {Composer} from './composer/Composer.tsx';
import type {View} from './core/view.ts';
import {DraftsPanel} from './drafts-panel/DraftsPanel.tsx';
import {Header} from './header/Header.tsx';
import {useScreen} from './hooks/use-screen.ts';
import {useSelectEqual} from './hooks/use-select.ts';
import {Inbox} from './inbox/Inbox.tsx';
import type {PartProps} from './Lines.tsx';
import type {Layout} from './layout/layout.ts';
import {Rule} from './layout/Rule.tsx';
import {screenLayout} from './layout/screen-layout.ts';
import {TooSmall} from './layout/TooSmall.tsx';
import {terminalCursorPosition} from './layout/terminal-cursor.ts';
import {MessagePane} from './message-pane/MessagePane.tsx';
import {Overlay} from './overlays/Overlay.tsx';
import {PeopleList} from './people/PeopleList.tsx';
import {DirectMessages} from './recent/DirectMessages.tsx';
import {RecentConversations} from './recent/RecentConversations.tsx';
import {KeyPanel} from './status-line/KeyPanel.tsx';
import {LongToast} from './status-line/LongToast.tsx';
import {StatusLine} from './status-line/StatusLine.tsx';
import {TopicList} from './topic-list/TopicList.tsx';
import {Tour} from './tour/Tour.tsx';
import {Triage} from './triage/Triage.tsx';

/** What the main pane shows, by the kind of the view. */
const mainParts: Readonly<Record<View['kind'], ComponentType<PartProps>>> = {
  inbox: Inbox,
  triage: Triage,
  recent: RecentConversations,
  directs: DirectMessages,
  topics: TopicList,
  channels: ChannelBrowser,
  people: PeopleList,
  drafts: DraftsPanel,
  messages: MessagePane,
};

/** The whole screen: every part in its rectangle, together exactly as large as the terminal. */
export function Screen() {
  const layout = useSelectEqual(screenLayout);
  const cursor = useSelectEqual(terminalCursorPosition);
  const {setCursorPosition} = useCursor();
  setCursorPosition(cursor);
  const {columns, rows} = useScreen((screen) => screen.size);
  const tourRows = useScreen((screen) => screen.tour?.lines.length ?? 0);
  return (
    <Box width={columns} height={rows + tourRows} overflow="hidden">
      {layout.size === 'tooSmall' ? <TooSmall /> : <Parts layout={layout} />}
      <Tour />
    </Box>
  );
}

/**
 * All parts, in the order in which they are painted: later ones may cover earlier ones. Memoized, because the screen renders
 * whenever the terminal's cursor moves, which concerns no part.
 */
const Parts = memo(function Parts({layout}: {readonly layout: Layout}) {
  const {header, banner, main, composer, people, rules, channels, topics, status, toast, isDrawer} = layout;
  const Main = mainParts[useScreen((screen) => screen.view.kind)];
  return (
    <>
      {header && <Header rect={header} />}
      {banner && <Banner rect={banner} />}
      <Main rect={main} />
      {composer && <Composer rect={composer} />}
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
});
