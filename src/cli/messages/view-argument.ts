import {openStore} from '#cli/account-access/open-store.ts';
import type {StateContext} from '#cli/account-access/with-state.ts';
import {PlainFailure, UsageError} from '#cli/failures.ts';
import type {AccountStore} from '#state/account-store.ts';
import type {Narrow} from '#state/model/narrow.ts';
import type {NavigationView} from '#state/model/personal.ts';
import {didYouMean} from '#state/selectors/names/similar-names.ts';
import type {AccountState} from '#state/state.ts';
import {localViewsFrom, localViewsKey} from '#ui/channel-list/change-views.ts';
import {viewsOf} from '#ui/channel-list/sidebar-views.ts';
import type {FetchType} from '#wire/fetch-types.ts';

const viewPrefix = /^view:/iu;

/** Returns the name in `view:NAME`; undefined for other words. */
export function viewNameOf(text: string): string | undefined {
  const trimmed = text.trim();
  return viewPrefix.test(trimmed)
    ? trimmed
        .replace(viewPrefix, '')
        .trim()
        .replace(/^"(.*)"$/u, '$1')
    : undefined;
}

/** Returns what finding a view requires besides. */
export function viewNeeds(words: readonly string[]): readonly FetchType[] {
  return viewNameOf(words.join(' ')) === undefined ? [] : ['navigation_views'];
}

/** Returns the narrow of a view of the sidebar. `local` are the views that are saved on this machine. */
export function narrowOfView(state: AccountState, name: string, local: readonly NavigationView[]): Narrow {
  const views = viewsOf(state, local).filter(({view}) => view === undefined || view.kind === 'messages');
  const names = views.map((view) => view.name);
  if (name === '') throw new UsageError(`Name a view of the sidebar: ${names.map((one) => `view:${one}`).join(', ')}.`);
  // A view of the user has precedence over a built-in one of the same name.
  const found = views.findLast((view) => view.name.toLowerCase() === name.toLowerCase());
  if (found === undefined) throw new PlainFailure(`No view is called “${name}”.${didYouMean(names, name)}`);
  if (found.view?.kind === 'messages') return found.view.narrow;
  throw new PlainFailure(`The view “${found.name}” leads nowhere: ${found.problem}`);
}

/** Returns the views that are saved on this machine. */
export function savedViews(store: Pick<AccountStore, 'keyValues'>): readonly NavigationView[] {
  const json = store.keyValues.get(localViewsKey);
  return json === undefined ? [] : localViewsFrom(JSON.parse(json));
}

/** Returns the views that are saved on this machine, from the database of the account. */
export function savedViewsOf({account, io}: StateContext): readonly NavigationView[] {
  const store = openStore(account, io);
  try {
    return savedViews(store);
  } finally {
    store.close();
  }
}
