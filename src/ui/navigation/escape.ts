import {combinedFeedNarrow} from '#state/model/narrow.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import {messagesView, sameView, type View} from '#ui/core/frame.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {changeList, clearFilter} from '#ui/lists/visible-rows.ts';
import {openView} from './navigation.ts';

/** Returns the home view of the account's settings. */
function homeView({settings}: Pick<AccountState, 'settings'>): View {
  switch (settings.webHomeView) {
    case 'recent':
      return {kind: 'recent'};
    case 'all_messages':
      return messagesView(combinedFeedNarrow);
    default:
      return {kind: 'inbox'};
  }
}

/**
 * Leaves one level: a selection, a filter, a side pane, a conversation, and last the view for the home view.
 * Changes no data and never quits.
 */
export function escapeOneLevel(app: App): void {
  const {screen} = app;
  const id = focusedList(screen);
  if (id !== undefined && screen.lists[id].selected.size > 0) {
    changeList(app, id, (state) => ({...state, selected: new Set()}));
  } else if (id !== undefined && screen.lists[id].filter.text !== '') {
    clearFilter(app, id);
  } else if (screen.focus !== 'main') {
    app.set({focus: 'main'});
  } else {
    leaveView(app);
  }
}

/** Returns to the list from which a conversation was opened, or else to the home view. */
function leaveView(app: App): void {
  const {view, back} = app.screen;
  const home = homeView(app.state);
  if (sameView(view, home)) return;
  const previousList = view.kind === 'messages' ? back.findLast(({kind}) => kind !== 'messages') : undefined;
  const goesHome = app.state.settings.webEscapeNavigatesToHomeView !== false;
  if (previousList !== undefined) openView(app, previousList);
  else if (goesHome) openView(app, home);
}
