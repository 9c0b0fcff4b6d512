import {mapById, withItems} from '#state/model/immutable-updates.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireSnippet} from '#wire/objects/personal.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export type Snippet = CamelKeys<WireSnippet>;

export const snippets: Slice<SortedMap<number, Snippet>, 'saved_snippets'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['saved_snippets'], ({saved_snippets = []}) => mapById(saved_snippets.map(camelKeys))),
  saved: savedMap('number', {id: 'number', title: 'string', content: 'string'}),
  appliers: {
    saved_snippets: (before, event) =>
      event.op === 'remove'
        ? before.without(event.saved_snippet_id)
        : withItems(before, [camelKeys(event.saved_snippet)]),
  },
};
