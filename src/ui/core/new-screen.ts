import {closedComposer} from '#ui/composer/composer-state.ts';
import {newInboxState} from '#ui/inbox/inbox-state.ts';
import {newListState} from '#ui/lists/list-state.ts';
import type {ScreenState, Size} from './screen-state.ts';
import type {View} from './view.ts';

/** Returns the screen at startup: a view, no overlays, and all lists at their top. */
export function newScreen(size: Size, view: View): ScreenState {
  return {
    size,
    tour: undefined,
    view,
    back: [],
    forward: [],
    focus: 'main',
    panes: {sidebar: 'auto', people: 'auto', isBare: false},
    lists: {
      channels: {...newListState, folded: new Set(['inactive'])},
      topics: newListState,
      people: {...newListState, folded: new Set(['deactivated'])},
      inbox: {...newListState, folded: new Set(['muted'])},
      recent: newListState,
      directs: newListState,
      browser: newListState,
      drafts: newListState,
    },
    inbox: newInboxState(),
    timelines: new Map(),
    composer: closedComposer,
    overlays: [],
    formEdits: new Map(),
    sidebarOrder: [],
    toast: undefined,
    loginAddress: '',
    prefix: [],
    isPrefixShown: false,
    hasWindowFocus: undefined,
    isMouseOn: false,
    isFirstFrame: false,
    expandedMessageIds: new Set(),
    unsavedEditIds: new Set(),
    restored: new Set(),
    uploads: undefined,
    copied: undefined,
    unreadWalk: undefined,
    presences: undefined,
    outage: undefined,
    writeProblem: undefined,
    movedConversation: undefined,
    quitAskedAt: undefined,
  };
}
