import type {App} from '#app/app.ts';
import {startFilter} from '#app/lists/filtering.ts';
import {goBack, goForward, openNarrow, openView} from '#app/navigation.ts';
import type {View} from '#app/view.ts';
import {combinedFeed, isNarrow, type Narrow} from '#state/model/narrow.ts';
import type {Command} from './command.ts';
import {inEmptyMessages} from './hint-places.ts';

const view = (id: string, title: string, shown: View, more: Partial<Command> = {}): Command => ({
  id,
  title,
  contexts: ['nav'],
  worksBeforeFirstPaint: true,
  ...more,
  run: (app) => openView(app, shown),
});

const feed = (id: string, title: string, narrow: Narrow): Command => ({
  id,
  title,
  contexts: ['nav'],
  run: (app) => openNarrow(app, narrow),
});

const back = (app: App) => {
  if (!goBack(app)) app.toast('Nothing to go back to.');
};

export const viewCommands: readonly Command[] = [
  view(
    'view.inbox',
    'Inbox',
    {kind: 'inbox'},
    {hint: 'inbox', hints: {msgs: 10, ...inEmptyMessages(6), 'msgs wider': false}},
  ),
  view('view.triage', 'Triage: the inbox, one conversation at a time', {kind: 'triage'}),
  {
    id: 'view.recent',
    title: 'Recent conversations; again to filter them',
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
  view('view.directs', 'Direct messages', {kind: 'directs'}),
  view('view.channels', 'All channels', {kind: 'channels'}),
  view('view.people', 'People', {kind: 'people'}),
  view('view.outbox', 'Messages on their way', {kind: 'drafts', tab: 'outbox'}),
  view('view.scheduled', 'Scheduled messages', {kind: 'drafts', tab: 'scheduled'}),
  view('view.reminders', 'Reminders', {kind: 'drafts', tab: 'reminders'}),
  feed('view.dms', 'Direct message feed', isNarrow('dm')),
  feed('view.combined', 'Combined feed', combinedFeed),
  feed('view.starred', 'Starred messages', isNarrow('starred')),
  feed('view.mentions', 'Mentions', isNarrow('mentioned')),
  {
    id: 'view.drafts',
    title: 'Drafts; again to close',
    contexts: ['nav'],
    hint: 'drafts',
    worksBeforeFirstPaint: true,
    run: (app) => {
      if (app.screen.view.kind === 'drafts' && goBack(app)) return;
      openView(app, {kind: 'drafts', tab: 'drafts'});
    },
  },
  {id: 'history.back', title: 'Back', contexts: ['nav'], run: back},
  {id: 'history.back.vim', title: 'Back', contexts: ['nav'], isKeyOnly: true, run: back},
  {
    id: 'history.forward',
    title: 'Forward',
    contexts: ['nav'],
    run: (app) => {
      if (!goForward(app)) app.toast('Nothing to go forward to.');
    },
  },
];
