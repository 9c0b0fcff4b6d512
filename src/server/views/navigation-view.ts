import type {NavigationViewRow} from '#server/db/navigation-views.ts';
import type {WireNavigationView} from '#wire/objects/navigation-view.ts';

/** Returns a navigation view as the API shows it. Built-in views have no name, so the key is left out. */
export function navigationViewView({fragment, is_pinned, name}: NavigationViewRow): WireNavigationView {
  return {fragment, is_pinned: is_pinned === 1, ...(name === null ? {} : {name})};
}
