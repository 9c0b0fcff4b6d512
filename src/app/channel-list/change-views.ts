import {type App, persistValue, readPersistedValue} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#app/forms/record-list.ts';
import {openView} from '#app/navigation/navigation.ts';
import {movePicker} from '#app/overlays/picker.ts';
import {performAllUndoable} from '#app/undo/perform-undoable.ts';
import {parseNarrowLink} from '#content/narrow-link.ts';
import type {NavigationViewAction} from '#state/actions/own-settings.ts';
import {parseSearch, searchText} from '#state/selectors/search/parse-search.ts';
import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import {localViewsFrom, localViewsKey, type NavigationView} from '#state/slices/navigation-views.ts';
import {composed, withoutIsolates} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem, serverProblem} from '#ui/core/change-problem.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {fragmentOfNarrow, fragmentOfView, type SidebarView, sidebarViews, viewsOf} from '#ui/search/sidebar-views.ts';
import {countedNoun} from '#wording/counted-noun.ts';

const orderKey = 'sidebar.order';

/** Reads from disk what servers do not store: the order of the sidebar's views, and on older ones the views. */
export function loadSidebarViews(app: App): void {
  const sidebarOrder = readPersistedValue(app, orderKey, (value) =>
    Array.isArray(value) ? value.filter((fragment) => typeof fragment === 'string') : [],
  );
  const localViews = readPersistedValue(app, localViewsKey, localViewsFrom);
  if (sidebarOrder.length + localViews.length > 0) app.set({sidebarOrder, localViews});
  const update = () => giveLocalViews(app);
  app.onEnd(app.session.cache.subscribe(['server', 'connection'], update));
  update();
}

/** Gives the views of this machine to the account when its server has learned to store them. Equal names get a number. */
function giveLocalViews(app: App): void {
  const {localViews} = app.screen;
  const {connection, server, navigationViews} = app.state;
  const isReady =
    connection.phase === 'online' && server.level > 0 && serverProblem(app, 'navigationViews') === undefined;
  if (localViews.length === 0 || !isReady || changeProblem(app) !== undefined) return;
  const taken = new Set([...navigationViews.values()].map(({name}) => name?.toLowerCase()));
  const given = localViews.filter(({fragment}) => !navigationViews.has(fragment));
  for (const {fragment, isPinned, name} of given) {
    let free = name ?? null;
    for (let number = 2; free !== null && taken.has(free.toLowerCase()); number++) free = `${name} ${number}`;
    taken.add(free?.toLowerCase());
    app.session.pendingChanges.perform({kind: 'navigationView', fragment, view: {isPinned, name: free}});
  }
  setLocalViews(app, []);
  if (given.length > 0) app.toast(`${countedNoun(given.length, 'view')} of this machine moved to your account`);
}

function setLocalViews(app: App, localViews: readonly NavigationView[]): void {
  app.set({localViews});
  persistValue(app, localViewsKey, localViews);
}

/** Sets the order: the fragments of all views. An empty one is the default order. */
function setSidebarOrder(app: App, sidebarOrder: readonly string[]): void {
  app.set({sidebarOrder});
  persistValue(app, orderKey, sidebarOrder);
}

/** Changes views in the account, or on this machine where the server does not store them. `label` is in the past tense. */
function changeViews(app: App, actions: readonly NavigationViewAction[], label: string): void {
  if (serverProblem(app, 'navigationViews') === undefined) {
    performAllUndoable(app, actions, label);
    return;
  }
  if (app.warn(changeProblem(app))) return;
  changeLocally(app, label, () => setLocalViews(app, actions.reduce(withChange, app.screen.localViews)));
  app.toast(withUndoKey(label));
}

function withChange(
  views: readonly NavigationView[],
  {fragment, view}: NavigationViewAction,
): readonly NavigationView[] {
  const at = views.findIndex((one) => one.fragment === fragment);
  if (view === undefined) return at < 0 ? views : views.toSpliced(at, 1);
  const changed = {fragment, ...view};
  return at < 0 ? [...views, changed] : views.with(at, changed);
}

/** Changes the order of the views. */
function changeOrder(app: App, order: readonly string[], label: string): void {
  changeLocally(app, label, () => setSidebarOrder(app, order));
}

/** Changes what is saved on this machine, with undo and redo. */
function changeLocally(app: App, label: string, change: () => void): void {
  const {sidebarOrder, localViews} = app.screen;
  change();
  const after = app.screen;
  app.undoStack.push({
    label,
    undo: () => {
      if (after.sidebarOrder !== sidebarOrder) setSidebarOrder(app, sidebarOrder);
      if (after.localViews !== localViews) setLocalViews(app, localViews);
      return composed`Undone: ${label}`;
    },
    redo: () => {
      changeLocally(app, label, change);
      return composed`Redone: ${label}`;
    },
  });
}

/** Puts a view whose search is changed where it is. The order keeps both fragments, so that undo puts it there too. */
function keepPlace(app: App, before: string, after: string): void {
  const {sidebarOrder, localViews} = app.screen;
  const order = sidebarOrder.length > 0 ? sidebarOrder : viewsOf(app.state, localViews).map(({fragment}) => fragment);
  setSidebarOrder(
    app,
    order
      .filter((fragment) => fragment !== after)
      .flatMap((fragment) => (fragment === before ? [before, after] : [fragment])),
  );
}

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

function setPinned(app: App, view: SidebarView | undefined, isPinned: boolean): void {
  if (view === undefined) return;
  const {fragment, name, isBuiltIn} = view;
  const action: NavigationViewAction = {
    kind: 'navigationView',
    fragment,
    view: {isPinned, name: isBuiltIn ? null : name},
  };
  changeViews(
    app,
    [action],
    isPinned ? composed`Shown in the sidebar: ${name}` : composed`Hidden from the sidebar: ${name}`,
  );
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
      : withoutIsolates(viewTitle(app.frame, view))
          .replace(/^Search: /, '')
          .slice(0, maxNameLength);
  openViewForm(app, {title: 'Add a view to the sidebar', saveLabel: 'Add', fragment, name, query, isPinned: true});
}

function openEditViewForm(app: App, edited: SidebarView | undefined): void {
  if (edited === undefined) return;
  const {fragment, name, isPinned, view} = edited;
  // The search of a view that leads nowhere may still name what is gone by its id.
  const written = parseNarrowLink(`#${fragment}`) ?? [];
  const query = searchText(view?.kind === 'messages' ? view.narrow : written, app.state);
  openViewForm(app, {title: composed`Edit ${name}`, fragment, name, query, isPinned, edited});
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
      if (edited === undefined) changeViews(from, [set], composed`Added ${newName} to the sidebar`);
      else if (newFragment === edited.fragment)
        changeViews(from, [set], composed`Renamed the view ${name} to ${newName}`);
      else {
        keepPlace(from, edited.fragment, newFragment);
        // The name is free again before the view with the other search gets it.
        changeViews(
          from,
          [{kind: 'navigationView', fragment: edited.fragment}, set],
          composed`Changed the view ${newName}`,
        );
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
    : composed`The view ${known.name} has this search.`;
}

/** Servers compare names without regard to case. */
function nameProblem(frame: Frame, fragment: string | undefined, name: string): string | undefined {
  const taken = sidebarViews(frame).find(
    (view) => view.fragment !== fragment && view.name.toLowerCase() === name.toLowerCase(),
  );
  return taken && composed`There is already a view ${taken.name}`;
}

const builtInReason = 'Built-in views can be hidden, but not renamed or removed';

/** Opens the list of the sidebar's views, to show, hide, edit, remove and move them. */
export function openSidebarViews(app: App): void {
  const viewOf = ({key}: RecordRow, frame: Frame) => sidebarViews(frame).find(({fragment}) => fragment === key);
  const change = (isPinned: boolean) =>
    recordAction('Ctrl-T', isPinned ? 'shows it' : 'hides it', {
      appliesTo: (row: RecordRow, frame: Frame) => viewOf(row, frame)?.isPinned === !isPinned,
      run: (from: App, row: RecordRow) => setPinned(from, viewOf(row, from.frame), isPinned),
    });
  const ownOnly = (row: RecordRow, frame: Frame) =>
    viewOf(row, frame)?.isBuiltIn === true ? builtInReason : undefined;
  openRecordList(app, {
    id: 'sidebar views',
    title: 'Sidebar views',
    columns: 78,
    placeholder: 'find a view',
    helpLines: 2,
    rows: (frame) => sidebarViews(frame).map((view) => viewRow(frame, view)),
    add: {label: 'Add a view…', run: openAddViewForm},
    actions: [
      recordAction('Enter', 'opens', {
        isReadOnly: true,
        disabledReason: (row, frame) => viewOf(row, frame)?.problem,
        run: (from, row) => {
          const view = viewOf(row, from.frame)?.view;
          from.closeOverlay();
          if (view !== undefined) openView(from, view);
        },
      }),
      change(true),
      change(false),
      recordAction('Ctrl-E', 'edits', {
        disabledReason: ownOnly,
        run: (from, row) => openEditViewForm(from, viewOf(row, from.frame)),
      }),
      recordAction('Delete', 'removes', {
        disabledReason: ownOnly,
        run: (from, {key, label}) => {
          changeViews(from, [{kind: 'navigationView', fragment: key}], composed`Removed ${label} from the sidebar`);
        },
      }),
    ],
    move: (from, {key}, step) => moveView(from, key, step),
  });
}

function viewRow(frame: Frame, {fragment, name, isBuiltIn, isPinned, view, problem}: SidebarView): RecordRow {
  const {account} = frame;
  const narrow = view?.kind === 'messages' ? view.narrow : undefined;
  const search = narrow === undefined ? 'leads nowhere' : searchText(narrow, account);
  const count = narrow === undefined || isBuiltIn ? undefined : viewUnreads(account, narrow);
  const isLocal = frame.screen.localViews.some((local) => local.fragment === fragment);
  const help = [
    ...(problem === undefined ? [] : [`${problem} Ctrl-E changes its search.`]),
    ...(count?.missing === undefined ? [] : [count.missing]),
    ...(isLocal && !isBuiltIn ? ['Kept on this machine: the server stores no views.'] : []),
  ];
  return {
    key: fragment,
    label: name,
    detail: isBuiltIn ? 'built in' : search,
    right: isPinned ? 'shown' : 'hidden',
    rightRole: 'dim',
    role: isPinned && view !== undefined ? undefined : 'muted',
    help: help.join(' '),
  };
}

/** Exchanges a view with its neighbour. The cursor stays on the view. */
function moveView(app: App, fragment: string, step: 1 | -1): void {
  const order = sidebarViews(app.frame).map((view) => view.fragment);
  const at = order.indexOf(fragment);
  const other = order[at + step];
  if (at < 0 || other === undefined) return;
  changeOrder(app, order.with(at, other).with(at + step, fragment), 'Moved a view of the sidebar');
  movePicker(app, step);
}
