import type {ListId} from '#app/core/screen-state.ts';
import {draftsList} from '#app/drafts/drafts-panel.ts';
import {inboxList} from '#app/inbox/inbox-list.ts';
import {channelBrowser} from './channel-browser.ts';
import {channelList} from './channel-list.ts';
import type {ListSource} from './list-source.ts';
import {peopleList} from './people-list.ts';
import {directList, recentList} from './recent-list.ts';
import {topicList} from './topic-list.ts';

/** The source of each list. Getters, because some sources import functions that read this table. */
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
