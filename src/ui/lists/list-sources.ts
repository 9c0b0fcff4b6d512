import {catchUpList} from '#ui/catch-up/catch-up-list.ts';
import {channelBrowser} from '#ui/channel-browser/channel-browser.ts';
import {channelList} from '#ui/channel-list/channel-list.ts';
import type {ListId} from '#ui/core/screen-state.ts';
import {draftsList} from '#ui/drafts-panel/drafts-panel-list.ts';
import {inboxList} from '#ui/inbox/triage-line.ts';
import {peopleList} from '#ui/people/people-list.ts';
import {directList, recentList} from '#ui/recent/recent-list.ts';
import {topicList} from '#ui/topic-list/topic-list.ts';
import type {ListSource} from './list-source.ts';

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
  get catchUp() {
    return catchUpList;
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
