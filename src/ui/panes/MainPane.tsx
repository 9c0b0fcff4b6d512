import {memo} from 'react';
import type {View} from '#app/core/view.ts';
import type {Rect} from '#app/layout/layout.ts';
import {useFrame} from '#ui/use-frame.ts';
import {ChannelBrowser} from './ChannelBrowser.tsx';
import {DirectList} from './DirectList.tsx';
import {DraftsPanel} from './DraftsPanel.tsx';
import {Inbox} from './Inbox.tsx';
import {MessagePane} from './MessagePane.tsx';
import {PeopleList} from './PeopleList.tsx';
import {RecentList} from './RecentList.tsx';
import {TopicList} from './TopicList.tsx';
import {Triage} from './Triage.tsx';

const panes = {
  inbox: Inbox,
  triage: Triage,
  recent: RecentList,
  directs: DirectList,
  topics: TopicList,
  channels: ChannelBrowser,
  people: PeopleList,
  drafts: DraftsPanel,
  messages: MessagePane,
} as const satisfies Record<View['kind'], unknown>;

/** What the view asks for. */
export const MainPane = memo(function MainPane({rect}: {readonly rect: Rect}) {
  const kind = useFrame(({screen}) => screen.view.kind);
  const Shown = panes[kind];
  return <Shown rect={rect} />;
});
