import {syncComposerWithView} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {changeList} from '#app/lists/change-list.ts';
import {carryHistory} from '#app/navigation/navigation.ts';
import {keepPickerRows} from '#app/overlays/picker.ts';
import {carryOtherPane} from '#app/panes/other-pane.ts';
import {clockText} from '#content/time-text.ts';
import {composed} from '#std/composed-text.ts';
import {memoByObject, sameArguments, sameFields} from '#std/memo.ts';
import {
  type Arrangement,
  type Frame,
  keyWithin,
  type Organization,
  type Organizations,
  organizationMarks,
} from '#ui/core/frame.ts';
import {focusedList, listTable} from '#ui/list-table.ts';
import type {ListRow, ListSource} from '#ui/lists/list-source.ts';
import {type ListState, shownAs} from '#ui/lists/list-state.ts';
import {canHaveCursor, cursorIndex, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {timeOptionsOf} from '#wording/moment-text.ts';

/** Why an account that is open shows outdated rows or none; undefined while it is connected or connects. */
function connectionProblem(frame: Frame): string | undefined {
  const {connection} = frame.account;
  switch (connection.phase) {
    case 'offline':
      return `not connected since ${clockText(connection.since, timeOptionsOf(frame))}`;
    case 'signedOut':
      return connection.isDeactivated === true ? 'deactivated' : 'logged out';
    case 'refused':
      return connection.problem;
    default:
      return undefined;
  }
}

/**
 * The frame without what it shows of others: only the shown account has that, so that two accounts do not hold each other's
 * old frames.
 */
const ownFrame = memoByObject(
  (frame: Frame): Frame => (frame.organizations === undefined ? frame : {...frame, organizations: undefined}),
);

/** The open accounts, of which one is shown. */
export class OpenOrganizations {
  readonly #names: () => readonly string[];
  readonly #apps = new Map<number, App>();
  readonly #problems = new Map<number, string>();
  readonly #show: (index: number) => void;
  #shown = 0;
  #last: Organizations | undefined;
  /** How the accounts are shown together; undefined: each alone. */
  arrangement: Arrangement | undefined;

  /** `names` returns the names of all accounts, also of those that are not open; `show` shows an open one. */
  constructor(names: () => readonly string[], show: (index: number) => void) {
    this.#names = names;
    this.#show = show;
  }

  get shownIndex(): number {
    return this.#shown;
  }

  set shownIndex(index: number) {
    const before = this.#apps.get(this.#shown);
    const next = this.#apps.get(index);
    const isCarried = this.arrangement !== undefined && before !== undefined && next !== undefined && next !== before;
    const isSameView = isCarried && carryHistory(before, next);
    if (isCarried) {
      carryOtherPane(before, this.#shown, next, index);
      carryLists(before, next);
    }
    this.#shown = index;
    if (isCarried && !isSameView) next.viewOpened(before.screen.view);
    // The account that is no longer shown drops the rows of others.
    before?.frames.paintSoon();
  }

  get apps(): readonly App[] {
    return [...this.#apps.values()];
  }

  appAt(index: number): App | undefined {
    return this.#apps.get(index);
  }

  /** Adds an account that was opened. */
  add(index: number, app: App): void {
    this.#apps.set(index, app);
    this.#problems.delete(index);
    let reported: number | undefined;
    const update = () => {
      const shown = index === this.#shown || this.arrangement === undefined ? undefined : this.#apps.get(this.#shown);
      if (shown === undefined) return;
      // Pickers may show rows of this account, as they were in its frame before.
      const organizations = this.#last;
      keepPickerRows(shown, {...shown.frame, organizations});
      shown.frames.paintSoon();
      // Nobody sees what an account in the background says.
      const {toast} = app.screen;
      if (toast?.tone === 'error' && toast.id !== reported)
        shown.toast(composed`${app.info.accountName}: ${toast.text}`, 'error');
      reported = toast?.id;
    };
    app.afterPaint(update);
    update();
  }

  /** Records why an account could not be opened. */
  fail(index: number, problem: string): void {
    this.#problems.set(index, problem);
    this.#apps.get(this.#shown)?.frames.paintSoon();
  }

  /** Returns why an account could not be opened. */
  problemOf(index: number): string | undefined {
    return this.#problems.get(index);
  }

  isShown(accountName: string): boolean {
    return this.#names()[this.#shown] === accountName;
  }

  together(accountName: string): Organizations | undefined {
    const names = this.#names();
    if (this.arrangement === undefined || names.length < 2 || names[this.#shown] !== accountName) return undefined;
    const marks = organizationMarks(names);
    const all = names.map((name, index): Organization => {
      const isShown = index === this.#shown;
      const painted = isShown ? undefined : this.#apps.get(index)?.frames.paintedFrame;
      const frame = painted && ownFrame(painted);
      const problem = frame === undefined ? this.#problems.get(index) : connectionProblem(frame);
      const organization = {index, name, mark: marks[index] ?? '', isShown, frame, problem};
      const before = this.#last?.all[index];
      return before !== undefined && sameFields(before, organization) ? before : organization;
    });
    if (this.#last?.arrangement !== this.arrangement || !sameArguments(this.#last.all, all))
      this.#last = {arrangement: this.arrangement, all};
    return this.#last;
  }

  /** Shows another organization; if a list of all is shown, the same list there. */
  showWithList(app: App, index: number): void {
    const other = this.#apps.get(index);
    const list = focusedList(app.screen);
    if (other === undefined || other === app) return;
    if (list !== undefined && list.isMerged === true)
      takeOver(other, app, list, {index: app.screen.lists[list.id].index});
    app.accounts.show(index);
  }

  /** Gives the keys to the account of the row that the cursor was moved to. Returns the app that has them. */
  afterInput(app: App): App {
    const shown = this.#apps.get(this.#shown) ?? app;
    if (shown !== app) {
      const {toast} = app.screen;
      const isNew = toast !== undefined && toast.id !== app.frames.paintedFrame.screen.toast?.id;
      // What the key said is about what it did before it showed the other account.
      if (isNew && shown.screen.toast === undefined) shown.toast(toast.message ?? toast.text, toast.tone);
      // Without a cursor of its own, the account that was asked for stays.
      const list = focusedList(shown.screen);
      if (list === undefined || shown.screen.lists[list.id].cursor === undefined) return shown;
    }
    followCursor(shown, this.#show);
    return this.#apps.get(this.#shown) ?? shown;
  }
}

/**
 * Shows the account of the row under the cursor, with the same list around it: so every key acts in the account of its row.
 * Runs after a key, never after an event of a server: the account changes only by what the user does.
 */
function followCursor(app: App, show: (index: number) => void): void {
  const list = focusedList(app.screen);
  if (list === undefined || list.isMerged !== true || app.screen.overlays.length > 0) return;
  // Text is written, and a key sequence ends, in the account where it was begun, also when the row under the cursor is gone.
  if (app.screen.focus === 'composer' || app.screen.prefix.length > 0) return;
  const organizations = app.frame.organizations?.all;
  const at = organizations && nearestRowIndex(app, list);
  if (organizations === undefined || at === undefined) return;
  const row = visibleRowsOf(app.frame, list).rows[at];
  const organization = organizations.find(({index}) => index === row?.organization);
  const other = organization && app.accounts.appAt?.(organization.index);
  const key = organization === undefined || row === undefined ? undefined : keyWithin(organization.name, row.key);
  if (other === undefined || organization === undefined || key === undefined) return;
  const {toast} = app.screen;
  takeOver(other, app, list, {cursor: key, index: at});
  show(organization.index);
  if (toast !== undefined) other.toast(toast.message ?? toast.text, toast.tone);
}

/** Returns the row under the cursor; the nearest one where this account has no row left. */
function nearestRowIndex(app: App, list: ListSource): number | undefined {
  const {frame} = app;
  const {rows} = visibleRowsOf(frame, list);
  const at = cursorIndex(frame, list);
  return at >= 0 ? at : nearestRow(rows, app.screen.lists[list.id]);
}

function nearestRow(rows: readonly ListRow[], list: ListState): number | undefined {
  const candidates = rows.flatMap((row, at) => (canHaveCursor(row, list) ? [at] : []));
  return candidates.find((at) => at >= list.index) ?? candidates.at(-1);
}

/** Keeps which panes are shown, and what a list of all organizations shows, when another organization gets the focus. */
function carryLists(from: App, to: App): void {
  const {panes, lists} = from.screen;
  const shared = Object.values(listTable).flatMap(({id, isMerged}) => {
    return isMerged === true ? [[id, shownAs(to.screen.lists[id], lists[id])] as const] : [];
  });
  to.set({panes, lists: {...to.screen.lists, ...Object.fromEntries(shared)}});
}

/** Shows the list of an account as the other one does, with the cursor on its own row. */
function takeOver(to: App, from: App, list: ListSource, cursor: Pick<ListState, 'index'> & Partial<ListState>): void {
  const {view, focus, lists} = from.screen;
  const {top, isFiltering} = lists[list.id];
  to.set({
    view,
    focus,
    ...(list.id === 'inbox' && {inbox: {...to.screen.inbox, isVisited: true, isOrderFrozen: true}}),
  });
  changeList(to, list.id, (state) => ({...state, top, isFiltering, ...cursor, pinnedKey: undefined}));
  syncComposerWithView(to);
  // The other one has the cursor on its own rows when it is shown again.
  changeList(from, list.id, (state) => ({...state, cursor: undefined, isFiltering: false}));
}
