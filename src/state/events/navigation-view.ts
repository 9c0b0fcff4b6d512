import {withFields, withSlices, withValue} from '#state/immutable-updates.ts';
import {navigationViewFromWire} from '#state/model/personal.ts';
import type {AccountState} from '#state/state.ts';
import {camelKeys} from '#std/camel.ts';
import type {NavigationViewEvent} from '#wire/events/navigation-view.ts';

export function applyNavigationView(state: AccountState, event: NavigationViewEvent): AccountState {
  return withSlices(state, {navigationViews: navigationViewsAfter(state.navigationViews, event)});
}

function navigationViewsAfter(
  views: AccountState['navigationViews'],
  event: NavigationViewEvent,
): AccountState['navigationViews'] {
  switch (event.op) {
    case 'add':
      return withValue(views, event.navigation_view.fragment, navigationViewFromWire(event.navigation_view));
    case 'update':
      return withFields(views, event.fragment, camelKeys(event.data));
    case 'remove':
      return views.without(event.fragment);
  }
}
