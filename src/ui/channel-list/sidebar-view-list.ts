import {searchText} from '#state/selectors/search/parse-search.ts';
import {viewUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {openView} from '#ui/navigation/navigation.ts';
import {movePicker} from '#ui/overlays/picker.ts';
import {changeOrder, changeViews} from './change-views.ts';
import {openAddViewForm, openEditViewForm, setPinned} from './sidebar-view-form.ts';
import {type SidebarView, sidebarViews} from './sidebar-views.ts';

const builtInReason = 'Built-in views can be hidden, but not renamed or removed';

/** Opens the list of the sidebar's views, to show, hide, edit, remove and move them. */
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
    helpLines: 2,
    rows: (frame) => sidebarViews(frame).map((view) => viewRow(frame, view)),
    add: {label: 'Add a view…', run: openAddViewForm},
    actions: [
      recordAction('Enter', 'open', {
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
      recordAction('Ctrl-E', 'edit', {
        disabledReason: ownOnly,
        run: (from, row) => openEditViewForm(from, viewOf(row, from.frame)),
      }),
      recordAction('Delete', 'remove', {
        disabledReason: ownOnly,
        run: (from, {key, label}) => {
          changeViews(from, [{kind: 'navigationView', fragment: key}], `Removed ${label} from the sidebar`);
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
