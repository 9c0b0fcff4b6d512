import {withFields, withValue} from '#state/model/immutable-updates.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import type {WireNavigationView} from '#wire/objects/personal.ts';
import {savedMap} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export type NavigationView = CamelKeys<WireNavigationView>;

function navigationViewFromWire(wire: WireNavigationView): NavigationView {
  return {fragment: wire.fragment, isPinned: wire.is_pinned, name: wire.name ?? null};
}

export const navigationViews: Slice<SortedMap<string, NavigationView>, 'navigation_view'> = {
  initial: SortedMap.empty(),
  registered: fromSnapshot(['navigation_views'], ({navigation_views = []}) =>
    SortedMap.by(navigation_views.map(navigationViewFromWire), ({fragment}) => fragment),
  ),
  saved: savedMap('string', {fragment: 'string'}),
  appliers: {
    navigation_view: (before, event) => {
      switch (event.op) {
        case 'add':
          return withValue(before, event.navigation_view.fragment, navigationViewFromWire(event.navigation_view));
        case 'update':
          return withFields(before, event.fragment, camelKeys(event.data));
        case 'remove':
          return before.without(event.fragment);
      }
    },
  },
};

/** The key of the views of an account whose server does not store any. */
export const localViewsKey = 'sidebar.views';

/** Reads saved views; others than records of views are left out. */
export function localViewsFrom(value: unknown): readonly NavigationView[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((view): NavigationView[] => {
    const {fragment, isPinned, name} = (view ?? {}) as Partial<Record<keyof NavigationView, unknown>>;
    if (typeof fragment !== 'string') return [];
    return [{fragment, isPinned: isPinned === true, name: typeof name === 'string' ? name : null}];
  });
}
