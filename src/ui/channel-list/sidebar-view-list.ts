import type {NavigationViewAction} from '#state/actions/navigation-views.ts';
import {searchText} from '#state/selectors/search/parse-search.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {viewTitle} from '#ui/format/view-title.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {openView} from '#ui/navigation/navigation.ts';
import {movePicker} from '#ui/overlays/picker.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';
import {featureProblem} from '#wire/server-features.ts';
import {fragmentOfView, type SidebarView, setSidebarOrder, sidebarViews} from './sidebar-views.ts';

/** The limit of Zulip's servers; the registration does not report it. */
const maxNameLength = 100;
const builtInReason = 'Built-in views can be hidden, but not renamed or removed';

/** Returns why the account's views cannot be changed. */
export function sidebarViewsProblem({state}: AppReader): string | undefined {
  return featureProblem(state.server.level, 'navigationViews');
}

/** Returns why the shown view cannot be added to the sidebar. */
export function addViewProblem(app: AppReader): string | undefined {
  const {account, screen} = app.frame;
  const fragment = fragmentOfView(account, screen.view);
  if (fragment === undefined) return 'This view cannot be in the sidebar: open a conversation, a feed or a search';
  const isShown = sidebarViews(app.frame).some((view) => view.fragment === fragment && view.isPinned);
  return isShown ? 'This view is in the sidebar already' : undefined;
}

/** Opens the list of the sidebar's views, to show, hide, rename, remove and move them. */
export function openSidebarViews(app: App): void {
  const viewOf = ({key}: RecordRow, frame: Frame) => sidebarViews(frame).find(({fragment}) => fragment === key);
  const change = (isPinned: boolean) =>
    recordAction('Ctrl-T', isPinned ? 'show' : 'hide', {
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
    rows: (frame) => sidebarViews(frame).map((view) => viewRow(frame, view)),
    add: {label: 'Add the current view…', disabledReason: () => addViewProblem(app), run: openAddViewForm},
    actions: [
      recordAction('Enter', 'open', {
        isReadOnly: true,
        disabledReason: (row, frame) =>
          viewOf(row, frame)?.view === undefined ? 'It leads to something that you cannot see' : undefined,
        run: (from, row) => {
          const view = viewOf(row, from.frame)?.view;
          from.closeOverlay();
          if (view !== undefined) openView(from, view);
        },
      }),
      change(true),
      change(false),
      recordAction('Ctrl-E', 'rename', {
        disabledReason: ownOnly,
        run: (from, row) => openRenameForm(from, viewOf(row, from.frame)),
      }),
      recordAction('Delete', 'remove', {
        disabledReason: ownOnly,
        run: (from, {key, label}) => {
          performUndoable(from, {kind: 'navigationView', fragment: key}, `Removed ${label} from the sidebar`);
        },
      }),
    ],
    move: (from, {key}, step) => moveView(from, key, step),
  });
}

function viewRow({account}: Frame, {fragment, name, isBuiltIn, isPinned, view}: SidebarView): RecordRow {
  const search = view?.kind === 'messages' ? searchText(view.narrow, account) : 'leads nowhere';
  return {
    key: fragment,
    label: name,
    detail: isBuiltIn ? 'built in' : search,
    right: isPinned ? 'shown' : 'hidden',
    rightRole: 'dim',
    role: isPinned ? undefined : 'muted',
  };
}

function setPinned(app: App, view: SidebarView | undefined, isPinned: boolean): void {
  if (view === undefined) return;
  const {fragment, name, isBuiltIn} = view;
  const action: NavigationViewAction = {
    kind: 'navigationView',
    fragment,
    view: {isPinned, name: isBuiltIn ? null : name},
  };
  performUndoable(app, action, isPinned ? `Shown in the sidebar: ${name}` : `Hidden from the sidebar: ${name}`);
}

/** Exchanges a view with its neighbour. The cursor stays on the view. */
function moveView(app: App, fragment: string, step: 1 | -1): void {
  const order = sidebarViews(app.frame).map((view) => view.fragment);
  const at = order.indexOf(fragment);
  const other = order[at + step];
  if (at < 0 || other === undefined) return;
  changeOrder(app, order.with(at, other).with(at + step, fragment));
  movePicker(app, step);
}

function changeOrder(app: App, order: readonly string[]): void {
  const before = app.screen.sidebarOrder;
  setSidebarOrder(app, order);
  const label = 'Moved a view of the sidebar';
  app.undoStack.push({
    label,
    undo: () => {
      setSidebarOrder(app, before);
      return `Undone: ${label}`;
    },
    redo: () => {
      changeOrder(app, order);
      return `Redone: ${label}`;
    },
  });
}

/** Adds the shown view to the sidebar: built-in ones at once, others by a form with a name. */
export function openAddViewForm(app: App): void {
  const {account, screen} = app.frame;
  const fragment = fragmentOfView(account, screen.view);
  if (fragment === undefined) return;
  const known = sidebarViews(app.frame).find((view) => view.fragment === fragment);
  if (known !== undefined) {
    const problem = changeProblem(app);
    if (!app.warn(problem)) setPinned(app, known, true);
    return;
  }
  openNameForm(app, {
    title: 'Add the view to the sidebar',
    saveLabel: 'Add',
    fragment,
    name: viewTitle(app.frame, screen.view)
      .replace(/^Search: /, '')
      .slice(0, maxNameLength),
    isPinned: true,
    done: (name) => `Added ${name} to the sidebar`,
  });
}

function openRenameForm(app: App, view: SidebarView | undefined): void {
  if (view === undefined) return;
  const {fragment, name, isPinned} = view;
  const done = (now: string) => `Renamed the view ${name} to ${now}`;
  openNameForm(app, {title: `Rename ${name}`, fragment, name, isPinned, done});
}

interface NameFormOptions {
  readonly title: string;
  readonly saveLabel?: string;
  readonly fragment: string;
  /** The name to begin with. */
  readonly name: string;
  readonly isPinned: boolean;
  readonly done: (name: string) => string;
}

function openNameForm(app: App, {title, saveLabel, fragment, name: first, isPinned, done}: NameFormOptions): void {
  openForm<{name: string}>(app, {
    id: `sidebar view ${fragment}`,
    title,
    saveLabel,
    isNew: true,
    initial: () => ({name: first}),
    fields: (frame) => [
      formField('text', 'name', 'Name', {
        isRequired: true,
        maxLength: maxNameLength,
        validate: (name) => nameProblem(frame, fragment, name),
      }),
    ],
    save: async (from, _changes, {name}) => {
      const action: NavigationViewAction = {kind: 'navigationView', fragment, view: {isPinned, name}};
      performUndoable(from, action, done(name));
      return undefined;
    },
  });
}

/** Servers compare names without regard to case. */
function nameProblem({account}: Frame, fragment: string, name: string): string | undefined {
  for (const view of account.navigationViews.values()) {
    const isTaken = view.fragment !== fragment && view.name?.toLowerCase() === name.toLowerCase();
    if (isTaken) return `There is already a view ${view.name}`;
  }
  return undefined;
}
