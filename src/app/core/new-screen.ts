import {closedComposer} from '#app/compose/composer-state.ts';
import {newInbox} from '#app/inbox/inbox-state.ts';
import {newList} from '#app/lists/list-state.ts';
import type {ScreenState, Size} from './screen-state.ts';
import type {View} from './view.ts';

export function newScreen(size: Size, view: View): ScreenState {
  return {
    size,
    view,
    back: [],
    forward: [],
    focus: 'main',
    panes: {sidebar: 'auto', people: 'auto', isBare: false},
    lists: {
      channels: {...newList, folded: new Set(['inactive'])},
      topics: newList,
      people: newList,
      inbox: {...newList, folded: new Set(['muted'])},
      recent: newList,
      directs: newList,
      browser: newList,
      drafts: newList,
    },
    inbox: newInbox(),
    timelines: new Map(),
    composer: closedComposer,
    overlays: [],
    toast: undefined,
    prefix: [],
    isPrefixShown: false,
    hasWindowFocus: undefined,
    isMouseOn: false,
    isFirst: false,
    expanded: new Set(),
    restored: new Set(),
    uploads: undefined,
    copied: undefined,
    walk: undefined,
    presences: undefined,
    outage: undefined,
    moved: undefined,
    quitAskedAt: undefined,
  };
}
