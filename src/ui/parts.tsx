import {bannerPart} from './banner/Banner.tsx';
import {CatchUp} from './catch-up/CatchUp.tsx';
import {catchUpList} from './catch-up/catch-up-list.ts';
import {ChannelBrowser} from './channel-browser/ChannelBrowser.tsx';
import {channelBrowser} from './channel-browser/channel-browser.ts';
import {ChannelList} from './channel-list/ChannelList.tsx';
import {completionMenuPart} from './completion-menu/CompletionMenu.tsx';
import {composerPart} from './composer/Composer.tsx';
import type {View} from './core/frame.ts';
import {DraftsPanel} from './drafts-panel/DraftsPanel.tsx';
import {draftsList} from './drafts-panel/panel-rows.ts';
import {headerPart} from './header/Header.tsx';
import {useScreen, useSelectEqual} from './hooks/use-select.ts';
import {inboxView, triageView} from './inbox/Inbox.tsx';
import {LinesPart, type PartProps, Rule} from './Lines.tsx';
import {sideLists} from './list-table.ts';
import {listCursor} from './lists/list-part.ts';
import type {ListSource} from './lists/list-source.ts';
import {messagesView} from './message-pane/MessagePane.tsx';
import {overlayPart} from './Overlay.tsx';
import {paneHead, paneHeadLine} from './other-pane/other-pane-frame.ts';
import type {FloatingPart, Part, ViewPart} from './part.ts';
import {People} from './people/People.tsx';
import {peopleList} from './people/people-list.ts';
import {Directs} from './recent/Directs.tsx';
import {Recent} from './recent/Recent.tsx';
import {directList, recentList} from './recent/recent-list.ts';
import {screenLayout} from './screen-layout.ts';
import {KeyPanel, LongToast, StatusLine} from './status-line/StatusLine.tsx';
import {TopicList} from './topic-list/TopicList.tsx';
import {topicList} from './topic-list/topic-list.ts';

function listView(component: ViewPart['component'], list: ListSource): ViewPart {
  return {component, ...listCursor(list)};
}

/** What the main pane shows, by the kind of the view. */
const views: Readonly<Record<View['kind'], ViewPart>> = {
  inbox: inboxView,
  triage: triageView,
  recent: listView(Recent, recentList),
  catchUp: listView(CatchUp, catchUpList),
  directs: listView(Directs, directList),
  topics: listView(TopicList, topicList),
  channels: listView(ChannelBrowser, channelBrowser),
  people: listView(People, peopleList),
  drafts: listView(DraftsPanel, draftsList),
  messages: messagesView,
};

function Main({rect}: PartProps) {
  const {component: View} = views[useScreen((screen) => screen.view.kind)];
  return <View rect={rect} />;
}

/** While there are two panes, the name of each is above it. */
function PaneHead({rect}: PartProps) {
  return <LinesPart rect={rect} label="Pane" select={paneHead} linesOf={(...shown) => [paneHeadLine(...shown)]} />;
}

/** The parts of a pane: each of two panes has all of them. */
export const paneParts: readonly Part[] = [
  {id: 'head', component: PaneHead, place: ({head}) => head},
  {
    id: 'main',
    component: Main,
    place: ({main}) => main,
    editedText: (frame, layout) => views[frame.screen.view.kind].editedText?.(frame, layout),
    selectedRows: (frame, layout) =>
      frame.screen.focus === 'main' ? views[frame.screen.view.kind].selectedRows?.(frame, layout) : undefined,
  },
  composerPart,
];

/** The parts above and before the panes, in the order in which they are painted. */
export const partsBefore: readonly Part[] = [headerPart, bannerPart];

function sideList(id: keyof typeof sideLists, component: Part['component']): Part {
  const {editedText, selectedRows} = listCursor(sideLists[id]);
  return {
    id,
    component,
    place: (layout) => layout[id],
    isFloating: ({isDrawer}) => isDrawer,
    editedText,
    selectedRows: (frame, layout) => (frame.screen.focus === id ? selectedRows(frame, layout) : undefined),
  };
}

/** The lines between the parts that are side by side. */
function Rules() {
  const {rules} = useSelectEqual(screenLayout);
  return rules.map((rect) => <Rule key={rect.x} rect={rect} />);
}

/** The parts beside and below the panes. */
export const partsAfter: readonly (Part | FloatingPart)[] = [
  sideList('people', People),
  {id: 'rules', component: Rules},
  sideList('channels', ChannelList),
  sideList('topics', TopicList),
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
