import {changeProblem} from '#ui/actions/server-request.ts';
import {
  addViewProblem,
  openAddViewForm,
  openSidebarViews,
  sidebarViewsProblem,
} from '#ui/channel-list/sidebar-view-list.ts';
import type {Command} from './command.ts';

export const sidebarViewCommands: readonly Command[] = [
  {
    id: 'sidebar.views',
    title: 'Sidebar views: show, hide, move',
    aliases: ['navigation views', 'edit sidebar', 'hide view', 'rename view', 'reorder sidebar', 'saved searches'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: sidebarViewsProblem,
    run: openSidebarViews,
  },
  {
    id: 'sidebar.add',
    title: 'Add this view to the sidebar',
    aliases: ['pin view', 'save search', 'pin search', 'bookmark view', 'add navigation view'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: (app) => sidebarViewsProblem(app) ?? changeProblem(app) ?? addViewProblem(app),
    run: openAddViewForm,
  },
];
