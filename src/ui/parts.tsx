import type {ComponentType} from 'react';
import {bannerPart} from '#ui/banner/Banner.tsx';
import {CatchUp} from '#ui/catch-up/CatchUp.tsx';
import {ChannelBrowser} from '#ui/channel-browser/ChannelBrowser.tsx';
import {ChannelList} from '#ui/channel-list/ChannelList.tsx';
import {completionMenuPart} from '#ui/completion-menu/CompletionMenu.tsx';
import {composerPart} from '#ui/composer/Composer.tsx';
import type {View} from '#ui/core/frame.ts';
import {DraftsPanel} from '#ui/drafts-panel/DraftsPanel.tsx';
import {headerPart} from '#ui/header/Header.tsx';
import {useScreen, useSelectEqual} from '#ui/hooks/use-select.ts';
import {inboxView, triageView} from '#ui/inbox/Inbox.tsx';
import {InboxList} from '#ui/inbox/InboxList.tsx';
import {listCursor} from '#ui/lists/list-part.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import type {ListId} from '#ui/lists/list-state.ts';
import {messagesView} from '#ui/message-pane/MessagePane.tsx';
import {paneHead, paneHeadLine} from '#ui/other-pane/other-pane-frame.ts';
import {People} from '#ui/people/People.tsx';
import {Directs} from '#ui/recent/Directs.tsx';
import {Recent} from '#ui/recent/Recent.tsx';
import {KeyPanel, LongToast, StatusLine} from '#ui/status-line/StatusLine.tsx';
import {TopicList} from '#ui/topic-list/TopicList.tsx';
import {type LayeredPartProps, LinesPart, type PartProps, Rule} from './Lines.tsx';
import {listTable, mainList} from './list-table.ts';
import {overlayPart} from './Overlay.tsx';
import type {FloatingPart, Part, ViewPart} from './part.ts';
import {screenLayout} from './screen-layout.ts';

/** The views that show more than a list, or none. */
const views: Partial<Readonly<Record<View['kind'], ViewPart>>> = {
  inbox: inboxView,
  triage: triageView,
  messages: messagesView,
};

/** The component of each list. One that is missing here does not compile. */
const listComponents: Readonly<Record<ListId, ComponentType<LayeredPartProps>>> = {
  channels: ChannelList,
  topics: TopicList,
  people: People,
  inbox: InboxList,
  recent: Recent,
  catchUp: CatchUp,
  directs: Directs,
  browser: ChannelBrowser,
  drafts: DraftsPanel,
};

const listViews = new Map(
  Object.values(listTable).map((list): [ListSource, ViewPart] => [
    list,
    {component: listComponents[list.id], ...listCursor(list)},
  ]),
);

/** Returns what the main pane shows. */
function viewPart(view: View): ViewPart | undefined {
  const list = mainList(view);
  return views[view.kind] ?? (list && listViews.get(list));
}

function Main({rect}: PartProps) {
  const View = useScreen((screen) => viewPart(screen.view)?.component);
  return View && <View rect={rect} />;
}

/** While there are two panes, the name of each is above it. */
function PaneHead({rect}: PartProps) {
  return <LinesPart rect={rect} select={paneHead} linesOf={(...shown) => [paneHeadLine(...shown)]} />;
}

/** The parts of a pane: each of two panes has all of them. */
export const paneParts: readonly Part[] = [
  {id: 'head', component: PaneHead, place: ({head}) => head},
  {
    id: 'main',
    component: Main,
    place: ({main}) => main,
    editedText: (frame, layout) => viewPart(frame.screen.view)?.editedText?.(frame, layout),
    selectedRows: (frame, layout) =>
      frame.screen.focus === 'main' ? viewPart(frame.screen.view)?.selectedRows?.(frame, layout) : undefined,
  },
  composerPart,
];

/** The parts above and before the panes, in the order in which they are painted. */
export const partsBefore: readonly Part[] = [headerPart, bannerPart];

function sideList(list: ListSource): Part {
  const {id, pane} = list;
  const {editedText, selectedRows} = listCursor(list);
  return {
    id,
    component: listComponents[id],
    place: (layout) => pane && layout[pane],
    isFloating: ({isDrawer}) => isDrawer,
    editedText,
    selectedRows: (frame, layout) => (frame.screen.focus === pane ? selectedRows(frame, layout) : undefined),
  };
}

/** The lines between the parts that are side by side. */
function Rules() {
  const {rules} = useSelectEqual(screenLayout);
  return rules.map((rect) => <Rule key={rect.x} rect={rect} />);
}

/** The parts beside and below the panes. */
export const partsAfter: readonly (Part | FloatingPart)[] = [
  sideList(listTable.people),
  {id: 'rules', component: Rules},
  sideList(listTable.channels),
  sideList(listTable.topics),
  {id: 'status', component: StatusLine, place: ({status}) => status},
];

/** The parts over the others. */
export const floatingParts: readonly (Part | FloatingPart)[] = [
  completionMenuPart,
  overlayPart,
  {id: 'keys', component: KeyPanel},
  {id: 'toast', component: StatusLine, place: ({toast}) => toast, isFloating: () => true},
  {id: 'long toast', component: LongToast},
];
