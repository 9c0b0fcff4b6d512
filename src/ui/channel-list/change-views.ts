import type {NavigationViewAction} from '#state/actions/own-settings.ts';
import type {NavigationView} from '#state/model/personal.ts';
import {changeProblem, serverProblem} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {persistValue, readPersistedValue} from '#ui/core/persisted-value.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {performAllUndoable} from '#ui/undo/perform-undoable.ts';
import {viewsOf} from './sidebar-views.ts';

const orderKey = 'sidebar.order';
/** The views of an account whose server does not store any. */
export const localViewsKey = 'sidebar.views';

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

/** Reads saved views; others than records of views are left out. */
export function localViewsFrom(value: unknown): readonly NavigationView[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((view): NavigationView[] => {
    const {fragment, isPinned, name} = (view ?? {}) as Partial<Record<keyof NavigationView, unknown>>;
    if (typeof fragment !== 'string') return [];
    return [{fragment, isPinned: isPinned === true, name: typeof name === 'string' ? name : null}];
  });
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
export function changeViews(app: App, actions: readonly NavigationViewAction[], label: string): void {
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
export function changeOrder(app: App, order: readonly string[], label: string): void {
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
      return `Undone: ${label}`;
    },
    redo: () => {
      changeLocally(app, label, change);
      return `Redone: ${label}`;
    },
  });
}

/** Puts a view whose search is changed where it is. The order keeps both fragments, so that undo puts it there too. */
export function keepPlace(app: App, before: string, after: string): void {
  const {sidebarOrder, localViews} = app.screen;
  const order = sidebarOrder.length > 0 ? sidebarOrder : viewsOf(app.state, localViews).map(({fragment}) => fragment);
  setSidebarOrder(
    app,
    order
      .filter((fragment) => fragment !== after)
      .flatMap((fragment) => (fragment === before ? [before, after] : [fragment])),
  );
}
