import {openNarrow} from '#app/navigation/navigation.ts';
import {openSearch} from '#app/search-view/search-picker.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import type {Command} from './command.ts';
import {offeredWiderSearch} from './unsent-message-actions.ts';

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
