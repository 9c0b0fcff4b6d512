import {combinedFeedNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import {addViewProblem, openAddViewForm, openSidebarViews} from '#ui/channel-list/change-views.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import type {View} from '#ui/core/frame.ts';
import {startFilter} from '#ui/lists/visible-rows.ts';
import {widerSearch} from '#ui/message-pane/lines/edge-lines.ts';
import {mainTimelineNow} from '#ui/message-pane/selection.ts';
import {goBack, goForward, openCatchUp, openNarrow, openView} from '#ui/navigation/navigation.ts';
import {type MessageCollection, notTogetherReason, openMessagesOfAll} from '#ui/organizations/messages-of-all.ts';
import {openSearch} from '#ui/search-view/search-picker.ts';
import {type Command, command, inEmptyMessages} from './command.ts';

const viewCommand = (id: string, title: string, view: View, more: Partial<Command> = {}) =>
  command(id, title, (app) => openView(app, view), {worksBeforeFirstPaint: true, ...more});

const everywhereCommand = (id: string, title: string, collection: MessageCollection) =>
  command(id, title, (app) => openMessagesOfAll(app, collection), {
    aliases: [`${collection} everywhere`, 'all accounts'],
    disabledReason: notTogetherReason,
  });

const feedCommand = (id: string, title: string, narrow: Narrow, more: Partial<Command> = {}) =>
  command(id, title, (app) => openNarrow(app, narrow), more);

const back = (app: App) => {
  if (!goBack(app)) app.toast('Nothing to go back to');
};

export const viewCommands: readonly Command[] = [
  viewCommand(
    'view.inbox',
    'Inbox',
    {kind: 'inbox'},
    {
      aliases: ['home', 'unread messages'],
      hint: 'inbox',
      hints: {msgs: 10, ...inEmptyMessages(6), 'msgs wider': false},
    },
  ),
  viewCommand(
    'view.triage',
    'Triage: one conversation at a time',
    {kind: 'triage'},
    {aliases: ['one by one', 'process inbox', 'focus mode']},
  ),
  {
    id: 'view.recent',
    title: 'Recent conversations; press again to filter',
    aliases: ['recent topics', 'latest conversations'],
    contexts: ['nav'],
    hint: 'recent',
    hints: {
      ...inEmptyMessages(5),
      'inbox done': [3, 'recent conversations'],
      'inbox nothing': 1,
    },
    worksBeforeFirstPaint: true,
    run: (app) => {
      if (app.screen.view.kind === 'recent') startFilter(app, 'recent');
      else openView(app, {kind: 'recent'});
    },
  },
  command('view.catchup', 'Catch up: what mattered in the last week', (app) => openCatchUp(app, 7), {
    aliases: ['summary', 'what did i miss', 'after an absence', 'digest'],
  }),
  command('view.catchup.day', 'Catch up: the last day', (app) => openCatchUp(app, 1)),
  command('view.catchup.month', 'Catch up: the last four weeks', (app) => openCatchUp(app, 28)),
  viewCommand(
    'view.directs',
    'Direct messages',
    {kind: 'directs'},
    {aliases: ['dms', 'private messages', 'pms', 'chats']},
  ),
  viewCommand(
    'view.channels',
    'All channels',
    {kind: 'channels'},
    {aliases: ['browse channels', 'channel browser', 'find channel', 'streams']},
  ),
  viewCommand(
    'view.archived',
    'Archived channels',
    {kind: 'channels', tab: 'archived'},
    {aliases: ['deleted channels', 'restore channel', 'unarchive channel']},
  ),
  everywhereCommand('mentions.everywhere', 'Mentions in all organizations', 'mentioned'),
  everywhereCommand('starred.everywhere', 'Starred in all organizations', 'starred'),
  viewCommand(
    'view.people',
    'People',
    {kind: 'people'},
    {aliases: ['members', 'users', 'user list', 'directory', 'who is online']},
  ),
  viewCommand(
    'view.outbox',
    'Outbox',
    {kind: 'drafts', tab: 'outbox'},
    {aliases: ['unsent messages', 'failed messages', 'pending messages']},
  ),
  viewCommand(
    'view.scheduled',
    'Scheduled messages',
    {kind: 'drafts', tab: 'scheduled'},
    {aliases: ['scheduled', 'send later list']},
  ),
  viewCommand('view.reminders', 'Reminders', {kind: 'drafts', tab: 'reminders'}),
  feedCommand('view.dms', 'Direct message feed', narrowIs('dm'), {aliases: ['all direct messages']}),
  feedCommand('view.combined', 'Combined feed', combinedFeedNarrow, {
    aliases: ['all messages', 'everything'],
  }),
  feedCommand('view.starred', 'Starred messages', narrowIs('starred'), {
    aliases: ['stars', 'bookmarks', 'saved messages', 'favorites'],
  }),
  feedCommand('view.mentions', 'Mentions', narrowIs('mentioned'), {aliases: ['my mentions', 'pings']}),
  {
    id: 'view.drafts',
    title: 'Drafts; press again to close',
    aliases: ['drafts', 'unfinished messages'],
    contexts: ['nav'],
    hint: 'drafts',
    worksBeforeFirstPaint: true,
    run: (app) => {
      if (app.screen.view.kind === 'drafts' && goBack(app)) return;
      openView(app, {kind: 'drafts', tab: 'drafts'});
    },
  },
  {id: 'history.back', title: 'Go back', aliases: ['previous view'], contexts: ['nav'], run: back},
  {id: 'history.back.vim', title: 'Go back', contexts: ['nav'], isKeyOnly: true, run: back},
  {
    id: 'history.forward',
    title: 'Go forward',
    aliases: ['next view'],
    contexts: ['nav'],
    run: (app) => {
      if (!goForward(app)) app.toast('Nothing to go forward to');
    },
  },
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
