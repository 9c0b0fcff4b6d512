import type {Api} from '#api/api.ts';
import {isRefusal} from '#api/failure.ts';
import type {NavigationView} from '#state/model/personal.ts';
import type {ActionHandler} from './action-handler.ts';

interface NavigationViewSettings {
  readonly isPinned: boolean;
  /** Null for built-in views. */
  readonly name: string | null;
}

/** Sets what the sidebar stores about a view; without `view` it is removed. */
export interface NavigationViewAction {
  readonly kind: 'navigationView';
  readonly fragment: string;
  readonly view?: NavigationViewSettings | undefined;
}

export const navigationViewHandler: ActionHandler<NavigationViewAction> = {
  effective({navigationViews}, action) {
    return isSameView(navigationViews.get(action.fragment), action.view) ? undefined : action;
  },

  optimisticEvents({navigationViews}, {fragment, view}) {
    if (view === undefined) return [{type: 'navigation_view', op: 'remove', id: -1, fragment}];
    const data = {is_pinned: view.isPinned, name: view.name};
    return navigationViews.has(fragment)
      ? [{type: 'navigation_view', op: 'update', id: -1, fragment, data}]
      : [{type: 'navigation_view', op: 'add', id: -1, navigation_view: {fragment, ...data}}];
  },

  inverse({navigationViews}, {kind, fragment}) {
    const before = navigationViews.get(fragment);
    return {kind, fragment, ...(before && {view: {isPinned: before.isPinned, name: before.name ?? null}})};
  },

  request: (api, {fragment, view}) => (view === undefined ? removeView(api, fragment) : saveView(api, fragment, view)),
};

/** Tries to update and then to add, because the server's record may have changed since. */
async function saveView(api: Api, fragment: string, view: NavigationViewSettings): Promise<void> {
  const args = {fragment, is_pinned: view.isPinned, ...(view.name !== null && {name: view.name})};
  try {
    await api.editNavigationView(args);
  } catch (error) {
    if (!isRefusal(error) || error.status !== 404) throw error;
    await api.addNavigationView(args);
  }
}

async function removeView(api: Api, fragment: string): Promise<void> {
  try {
    await api.removeNavigationView({fragment});
  } catch (error) {
    if (!isRefusal(error) || error.status !== 404) throw error;
  }
}

function isSameView(before: NavigationView | undefined, view: NavigationViewSettings | undefined): boolean {
  if (before === undefined || view === undefined) return before === view;
  return before.isPinned === view.isPinned && (before.name ?? null) === view.name;
}
