import {parseNarrowLink} from '#content/narrow-link.ts';
import type {NavigationViewAction} from '#state/actions/own-settings.ts';
import {parseSearch, searchText} from '#state/selectors/search/parse-search.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {viewTitle} from '#ui/format/view-title.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {changeViews, keepPlace} from './change-views.ts';
import {fragmentOfNarrow, fragmentOfView, type SidebarView, sidebarViews} from './sidebar-views.ts';

/** The limits of Zulip's servers; the registration does not report them. */
const maxNameLength = 100;
const maxFragmentLength = 1000;

/** Returns why the shown view cannot be added to the sidebar. */
export function addViewProblem(app: AppReader): string | undefined {
  const {account, screen} = app.frame;
  const fragment = fragmentOfView(account, screen.view);
  if (fragment === undefined) return 'This view cannot be in the sidebar: open a conversation, a feed or a search';
  const isShown = sidebarViews(app.frame).some((view) => view.fragment === fragment && view.isPinned);
  return isShown ? 'This view is in the sidebar already' : undefined;
}

export function setPinned(app: App, view: SidebarView | undefined, isPinned: boolean): void {
  if (view === undefined) return;
  const {fragment, name, isBuiltIn} = view;
  const action: NavigationViewAction = {
    kind: 'navigationView',
    fragment,
    view: {isPinned, name: isBuiltIn ? null : name},
  };
  changeViews(app, [action], isPinned ? `Shown in the sidebar: ${name}` : `Hidden from the sidebar: ${name}`);
}

/** Adds a view to the sidebar: the shown one, if it can be there. Built-in ones are added at once, others by a form. */
export function openAddViewForm(app: App): void {
  const {account, screen} = app.frame;
  const {view} = screen;
  const fragment = addViewProblem(app) === undefined ? fragmentOfView(account, view) : undefined;
  const known = sidebarViews(app.frame).find((one) => one.fragment === fragment);
  if (known !== undefined) {
    const problem = changeProblem(app);
    if (!app.warn(problem)) setPinned(app, known, true);
    return;
  }
  const query =
    fragment === undefined || view.kind !== 'messages' ? '' : (view.query ?? searchText(view.narrow, account));
  const name =
    fragment === undefined
      ? ''
      : viewTitle(app.frame, view)
          .replace(/^Search: /, '')
          .slice(0, maxNameLength);
  openViewForm(app, {title: 'Add a view to the sidebar', saveLabel: 'Add', fragment, name, query, isPinned: true});
}

export function openEditViewForm(app: App, edited: SidebarView | undefined): void {
  if (edited === undefined) return;
  const {fragment, name, isPinned, view} = edited;
  // The search of a view that leads nowhere may still name what is gone by its id.
  const written = parseNarrowLink(`#${fragment}`) ?? [];
  const query = searchText(view?.kind === 'messages' ? view.narrow : written, app.state);
  openViewForm(app, {title: `Edit ${name}`, fragment, name, query, isPinned, edited});
}

interface ViewFormOptions {
  readonly title: string;
  readonly saveLabel?: string;
  /** The fragment of the search to begin with. */
  readonly fragment: string | undefined;
  readonly name: string;
  readonly query: string;
  readonly isPinned: boolean;
  readonly edited?: SidebarView;
}

function openViewForm(app: App, {title, saveLabel, fragment, name, query, isPinned, edited}: ViewFormOptions): void {
  const fragmentOf = (written: string): string =>
    written === query && fragment !== undefined
      ? fragment
      : fragmentOfNarrow(app.state, parseSearch(app.state, written, 'partial', app.clock.now()).narrow);
  openForm<{name: string; query: string}>(app, {
    id: `sidebar view ${edited?.fragment ?? fragment ?? ''}`,
    title,
    saveLabel,
    isNew: true,
    initial: () => ({name, query}),
    fields: (frame) => [
      formField('text', 'name', 'Name', {
        isRequired: true,
        maxLength: maxNameLength,
        validate: (typed) => nameProblem(frame, edited?.fragment, typed),
      }),
      formField('text', 'query', 'Search', {
        isRequired: true,
        help: 'As in the search box. OR joins searches: channel:ops OR is:mentioned',
        validate: (typed) =>
          typed === query && edited !== undefined ? undefined : queryProblem(frame, typed, fragmentOf, edited),
      }),
    ],
    save: async (from, _changes, {name: newName, query: newQuery}) => {
      const newFragment = fragmentOf(newQuery);
      const set: NavigationViewAction = {
        kind: 'navigationView',
        fragment: newFragment,
        view: {isPinned, name: newName},
      };
      if (edited === undefined) changeViews(from, [set], `Added ${newName} to the sidebar`);
      else if (newFragment === edited.fragment) changeViews(from, [set], `Renamed the view ${name} to ${newName}`);
      else {
        keepPlace(from, edited.fragment, newFragment);
        // The name is free again before the view with the other search gets it.
        changeViews(from, [{kind: 'navigationView', fragment: edited.fragment}, set], `Changed the view ${newName}`);
      }
      return undefined;
    },
  });
}

function queryProblem(
  frame: Frame,
  query: string,
  fragmentOf: (query: string) => string,
  edited: SidebarView | undefined,
): string | undefined {
  const [problem] = parseSearch(frame.account, query).problems;
  if (problem !== undefined || query.trim() === '') return problem;
  const fragment = fragmentOf(query);
  if (fragment.length > maxFragmentLength) return 'The search is too long to be a view.';
  const known = sidebarViews(frame).find((view) => view.fragment === fragment);
  return known === undefined || known.fragment === edited?.fragment
    ? undefined
    : `The view ${known.name} has this search.`;
}

/** Servers compare names without regard to case. */
function nameProblem(frame: Frame, fragment: string | undefined, name: string): string | undefined {
  const taken = sidebarViews(frame).find(
    (view) => view.fragment !== fragment && view.name.toLowerCase() === name.toLowerCase(),
  );
  return taken === undefined ? undefined : `There is already a view ${taken.name}`;
}
