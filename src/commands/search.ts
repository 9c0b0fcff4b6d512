import type {Narrow} from '#state/model/narrow.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {widerSearch} from '#ui/message-pane/lines/empty-timeline-text.ts';
import {mainTimelineNow} from '#ui/message-pane/selection.ts';
import {openNarrow} from '#ui/navigation/navigation.ts';
import {openSearch} from '#ui/search-view/search-picker.ts';
import type {Command} from './command.ts';

/** Returns the search of all public channels that a search without results offers; undefined in any other view. */
export function offeredWiderSearch(app: AppReader): Narrow | undefined {
  const {view} = app.screen;
  const shown = mainTimelineNow(app.frame);
  if (view.kind !== 'messages' || shown === undefined || shown.window !== undefined) return undefined;
  return shown.timeline?.hasNewest === true ? widerSearch(view.narrow) : undefined;
}

export const searchCommands: readonly Command[] = [
  {
    id: 'search.open',
    title: 'Search messages',
    aliases: ['search', 'find', 'grep'],
    contexts: ['nav'],
    hint: 'search',
    hints: {'msgs search': [2, 'change search'], 'msgs wider': [2, 'change search']},
    worksBeforeFirstPaint: true,
    run: (app) => openSearch(app),
  },
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
