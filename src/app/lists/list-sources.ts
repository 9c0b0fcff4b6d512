import type {ListId} from '#app/core/screen-state.ts';
import {draftsList} from '#app/drafts/drafts-panel.ts';
import {inboxList} from '#app/inbox/inbox-list.ts';
import {channelBrowser} from './channel-browser.ts';
import {channelList} from './channel-list.ts';
import {directList} from './direct-list.ts';
import type {ListSource} from './list-source.ts';
import {peopleList} from './people-list.ts';
import {recentList} from './recent-list.ts';
import {topicList} from './topic-list.ts';

/** Where the rows of each list come from. Read when asked for: some of them lay out their rows with what reads this table. */
export const listSources: Readonly<Record<ListId, ListSource>> = {
  get channels() {
    return channelList;
  },
  get topics() {
    return topicList;
  },
  get people() {
    return peopleList;
  },
  get inbox() {
    return inboxList;
  },
  get recent() {
    return recentList;
  },
  get directs() {
    return directList;
  },
  get browser() {
    return channelBrowser;
  },
  get drafts() {
    return draftsList;
  },
};
