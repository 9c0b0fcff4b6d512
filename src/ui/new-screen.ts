import {closedComposer} from '#ui/composer/composer-state.ts';
import type {View} from '#ui/core/frame.ts';
import type {ScreenState, Size} from '#ui/core/screen-state.ts';
import {newInboxState} from '#ui/inbox/inbox-state.ts';
import {newListStates} from './list-table.ts';

/** Returns the screen at startup: a view, no overlays, and all lists at their top. */
export function newScreen(size: Size, view: View): ScreenState {
  return {
    size,
    view,
    back: [],
    forward: [],
    focus: 'main',
    panes: {sidebar: 'auto', people: 'auto', isBare: false},
    lists: newListStates(),
    inbox: newInboxState(),
    timelines: new Map(),
    composer: closedComposer,
    overlays: [],
    formEdits: new Map(),
    sidebarOrder: [],
    localViews: [],
    loginAddress: '',
    prefix: [],
    isPrefixShown: false,
    isMouseOn: false,
    isFirstFrame: false,
    imageChanges: 0,
    expandedMessageIds: new Set(),
    unsavedEditIds: new Set(),
    restored: new Set(),
  };
}
