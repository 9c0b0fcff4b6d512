import {addViewProblem, openAddViewForm, openSidebarViews} from '#app/channel-list/change-views.ts';
import type {App} from '#app/core/app.ts';
import {startFilter} from '#app/lists/change-list.ts';
import {goBack, goForward, openCatchUp, openNarrow, openView} from '#app/navigation/navigation.ts';
import {type MessageCollection, notTogetherReason, openMessagesOfAll} from '#app/organizations/messages-of-all.ts';
import {openSearch} from '#app/search-view/search-picker.ts';
import {combinedFeedNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import type {View} from '#ui/core/frame.ts';
import {widerSearch} from '#ui/message-pane/lines/edge-lines.ts';
import {mainTimelineNow} from '#ui/message-pane/selected-message.ts';
import {type Command, command, inEmptyMessages} from './command.ts';

const viewCommand = (id: string, title: string, view: View, aliases: readonly string[] = []) =>
  command(id, title, (app) => openView(app, view), {aliases, worksBeforeFirstPaint: true});

const everywhereCommand = (id: string, title: string, collection: MessageCollection) =>
  command(id, title, (app) => openMessagesOfAll(app, collection), {
    aliases: [`${collection} everywhere`, 'all accounts'],
    disabledReason: notTogetherReason,
  });

const feedCommand = (id: string, title: string, narrow: Narrow, aliases: readonly string[]) =>
  command(id, title, (app) => openNarrow(app, narrow), {aliases});

const back = (app: App) => {
  if (!goBack(app)) app.toast('Nothing to go back to');
};
const forward = (app: App) => {
  if (!goForward(app)) app.toast('Nothing to go forward to');
};
const openOrFilterRecent = (app: App) => {
  if (app.screen.view.kind === 'recent') startFilter(app, 'recent');
  else openView(app, {kind: 'recent'});
};
const openOrCloseDrafts = (app: App) => {
  if (app.screen.view.kind !== 'drafts' || !goBack(app)) openView(app, {kind: 'drafts', tab: 'drafts'});
};

export const viewCommands: readonly Command[] = [
  {
    ...viewCommand('view.inbox', 'Inbox', {kind: 'inbox'}, ['home', 'unread messages']),
    hint: 'inbox',
    hints: {msgs: 10, ...inEmptyMessages(6), 'msgs wider': false},
  },
  viewCommand('view.triage', 'Triage: one conversation at a time', {kind: 'triage'}, [
    'one by one',
    'process inbox',
    'focus mode',
  ]),
  command('view.recent', 'Recent conversations; press again to filter', openOrFilterRecent, {
    aliases: ['recent topics', 'latest conversations'],
    hint: 'recent',
    hints: {...inEmptyMessages(5), 'inbox done': [3, 'recent conversations'], 'inbox nothing': 1},
    worksBeforeFirstPaint: true,
  }),
  command('view.catchup', 'Catch up: what mattered in the last week', (app) => openCatchUp(app, 7), {
    aliases: ['summary', 'what did i miss', 'after an absence', 'digest'],
  }),
  command('view.catchup.day', 'Catch up: the last day', (app) => openCatchUp(app, 1)),
  command('view.catchup.month', 'Catch up: the last four weeks', (app) => openCatchUp(app, 28)),
  viewCommand('view.directs', 'Direct messages', {kind: 'directs'}, ['dms', 'private messages', 'pms', 'chats']),
  viewCommand('view.channels', 'All channels', {kind: 'channels'}, [
    'browse channels',
    'channel browser',
    'find channel',
    'streams',
  ]),
  viewCommand('view.archived', 'Archived channels', {kind: 'channels', tab: 'archived'}, [
    'deleted channels',
    'restore channel',
    'unarchive channel',
  ]),
  everywhereCommand('mentions.everywhere', 'Mentions in all organizations', 'mentioned'),
  everywhereCommand('starred.everywhere', 'Starred in all organizations', 'starred'),
  viewCommand('view.people', 'People', {kind: 'people'}, [
    'members',
    'users',
    'user list',
    'directory',
    'who is online',
  ]),
  viewCommand('view.outbox', 'Outbox', {kind: 'drafts', tab: 'outbox'}, [
    'unsent messages',
    'failed messages',
    'pending messages',
  ]),
  viewCommand('view.scheduled', 'Scheduled messages', {kind: 'drafts', tab: 'scheduled'}, [
    'scheduled',
    'send later list',
  ]),
  viewCommand('view.reminders', 'Reminders', {kind: 'drafts', tab: 'reminders'}),
  feedCommand('view.dms', 'Direct message feed', narrowIs('dm'), ['all direct messages']),
  feedCommand('view.combined', 'Combined feed', combinedFeedNarrow, ['all messages', 'everything']),
  feedCommand('view.starred', 'Starred messages', narrowIs('starred'), [
    'stars',
    'bookmarks',
    'saved messages',
    'favorites',
  ]),
  feedCommand('view.mentions', 'Mentions', narrowIs('mentioned'), ['my mentions', 'pings']),
  command('view.drafts', 'Drafts; press again to close', openOrCloseDrafts, {
    aliases: ['drafts', 'unfinished messages'],
    hint: 'drafts',
    worksBeforeFirstPaint: true,
  }),
  command('history.back', 'Go back', back, {aliases: ['previous view']}),
  command('history.back.vim', 'Go back', back, {isKeyOnly: true}),
  command('history.forward', 'Go forward', forward, {aliases: ['next view']}),
];

export const sidebarViewCommands: readonly Command[] = [
  command('sidebar.views', 'Sidebar views: add, edit, move, hide', openSidebarViews, {
    aliases: ['navigation views', 'edit sidebar', 'hide view', 'rename view', 'reorder sidebar', 'saved searches'],
    opensTextField: true,
  }),
  command('sidebar.add', 'Add this view to the sidebar', openAddViewForm, {
    aliases: ['pin view', 'save search', 'pin search', 'bookmark view', 'add navigation view'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? addViewProblem(app),
  }),
];

/** Returns the search of all public channels that a search without results offers; undefined in any other view. */
export function offeredWiderSearch(app: AppReader): Narrow | undefined {
  const {view} = app.screen;
  const shown = mainTimelineNow(app.frame);
  if (view.kind !== 'messages' || shown === undefined || shown.window !== undefined) return undefined;
  return shown.timeline?.hasNewest === true ? widerSearch(view.narrow) : undefined;
}

export const searchCommands: readonly Command[] = [
  command('search.open', 'Search messages', (app) => openSearch(app), {
    aliases: ['search', 'find', 'grep'],
    hint: 'search',
    hints: {'msgs search': [2, 'change search'], 'msgs wider': [2, 'change search']},
    worksBeforeFirstPaint: true,
  }),
  {
    id: 'search.public',
    title: 'Search all public channels',
    aliases: ['search everywhere'],
    contexts: ['msgs'],
    disabledReason: (app) =>
      offeredWiderSearch(app) === undefined ? 'Only after a search without results' : undefined,
    run: (app) => {
      const wider = offeredWiderSearch(app);
      if (wider !== undefined) openNarrow(app, wider, {query: searchText(wider, app.state)});
    },
  },
];
