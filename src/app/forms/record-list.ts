import type {App} from '#app/core/app.ts';
import {confirm, openPicker, refreshPicker} from '#app/overlays/picker.ts';
import {changeOnServer} from '#app/requests/server-request.ts';
import type {FetchRequest} from '#state/fetches/kept-queries.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState, SliceName} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {type Key, keyName} from '#terminal/input/key.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {type Frame, fetched} from '#ui/core/frame.ts';
import type {KeyEffects, Picker, PickerRow} from '#ui/core/overlay.ts';
import {retryEffect, retryKey} from '#ui/lists/list-source.ts';

/** A row of a record list; its key identifies the record. */
export type RecordRow = Pick<
  PickerRow,
  'key' | 'label' | 'detail' | 'right' | 'rightRole' | 'role' | 'swatch' | 'disabled' | 'help' | 'isTitle'
>;

/** Something to do with the record under the cursor. */
export interface RecordAction {
  /** `Enter`, `Delete`, or a key with Ctrl or Alt: other keys are text of the filter. */
  readonly key: string;
  /** For the hint line: `removes`. */
  readonly hint: string;
  /** Whether the row has the action; all have by default. */
  readonly appliesTo?: ((row: RecordRow, frame: Frame) => boolean) | undefined;
  /** Returns why it cannot be done; shown when the user tries. */
  readonly disabledReason?: ((row: RecordRow, frame: Frame) => string | undefined) | undefined;
  /** Returns what to ask before it is done. */
  readonly confirm?: ((row: RecordRow, frame: Frame) => ConfirmTexts | undefined) | undefined;
  /** Whether it only shows something, and so works in a read-only session too. */
  readonly isReadOnly?: true | undefined;
  run(app: App, row: RecordRow, list: OpenedRecordList): void;
}

/** Returns an action: `recordAction('Delete', 'removes', {run: remove})`. */
export function recordAction(key: string, hint: string, more: Omit<RecordAction, 'key' | 'hint'>): RecordAction {
  return {key, hint, ...more};
}

/** Returns an action that only shows something. */
export function viewAction(key: string, hint: string, run: RecordAction['run']): RecordAction {
  return {key, hint, isReadOnly: true, run};
}

export interface ConfirmTexts {
  readonly title: string;
  readonly yes: string;
  readonly detail?: string;
}

/**
 * A list of records with actions, made of a picker. Open it with `openRecordList`:
 *
 * ```ts
 * openRecordList(app, {
 *   id: 'invitations',
 *   title: 'Invitations',
 *   reads: [invitations()],
 *   rows: (_frame, [invites = []]) => invites.map(({id, email}) => ({key: String(id), label: email})),
 *   add: {label: 'New invitation…', run: openInvitationForm},
 *   actions: [
 *     {key: 'Delete', hint: 'revokes', confirm: ({label}) => ({title: `Revoke ${label}?`, yes: 'Revoke'}), run: revoke},
 *   ],
 * });
 * ```
 */
export interface RecordList<T = unknown> {
  readonly id: string;
  readonly title: string;
  readonly columns?: number | undefined;
  readonly placeholder?: string | undefined;
  readonly rowsShown?: number | undefined;
  /** The number of lines for the help of the record under the cursor; none by default. */
  readonly helpLines?: number | undefined;
  /** Shown when there are no records. */
  readonly empty?: string | undefined;
  /** What the rows are made of, for records that no event keeps current. */
  readonly reads?: readonly FetchRequest<T>[] | undefined;
  /** Returns the records. `data` has the results of `reads`, as far as they are known; called when there is one. */
  rows(frame: Frame, data: readonly T[]): readonly RecordRow[];
  /** Whether the row that adds a record comes after the records. */
  readonly addsLast?: boolean | undefined;
  /** The first row, also on Ctrl-A. */
  readonly add?:
    | {
        readonly label: string;
        readonly disabledReason?: ((frame: Frame) => string | undefined) | undefined;
        run(app: App, list: OpenedRecordList): void;
      }
    | undefined;
  readonly actions?: readonly RecordAction[] | undefined;
  /** The order of the records, which Alt-Up and Alt-Down change. */
  readonly order?: RecordOrderOptions | undefined;
  /** Moves a record up or down, on Alt-Up and Alt-Down, where there is no `order`. */
  readonly move?: ((app: App, row: RecordRow, step: 1 | -1, list: OpenedRecordList) => void) | undefined;
  /** Returns why records cannot be moved; shown when the user tries. */
  readonly moveProblem?: ((frame: Frame) => string | undefined) | undefined;
  readonly onClose?: ((app: App) => void) | undefined;
}

export interface OpenedRecordList {
  /** Makes the rows again after a change that no event reports: fetches what the list reads. */
  reload(): void;
  /** Reads one more request. */
  read(request: FetchRequest): void;
}

const addKey = 'add record';

/** Opens a list of records. It fetches them if they are not in the account state. */
export function openRecordList<T = unknown>(app: App, opening: RecordList<T>): OpenedRecordList {
  const order = opening.order && new RecordOrder(opening.id, opening.order);
  const list: RecordList<T> = order
    ? {
        ...opening,
        rows: (frame, data) => order.sorted(frame.account, opening.rows(frame, data)),
        move: (from, row, step) => order.move(from, row, step),
      }
    : opening;
  let reads: readonly FetchRequest[] | undefined = opening.reads;
  const opened: OpenedRecordList = {
    reload: () => {
      if (reads === undefined) refreshPicker(app, list.id);
      else app.session.queries.fetchAgain(reads);
    },
    read: (request) => {
      reads = [...(reads ?? []), request];
      refreshPicker(app, list.id, {reads});
    },
  };
  openPicker(app, recordPicker(list, opened));
  return opened;
}

function recordPicker<T>(list: RecordList<T>, opened: OpenedRecordList): Picker {
  const {id, title, columns, placeholder = 'filter', rowsShown = 14, helpLines, reads, onClose} = list;
  return {
    id,
    title,
    columns,
    placeholder,
    onClose,
    reads,
    rowsShown,
    helpLines,
    empty: (frame) => emptyText(list, frame),
    rows: (frame, query) => {
      const records = recordRows(list, frame, query);
      const adding = addRows(list, frame, query);
      return list.addsLast === true ? [...records, ...adding] : [...adding, ...records];
    },
    hintForRow: (frame, row) => hintText(list, frame, row),
    accept: (app, row, how) => {
      if (row.key === addKey) runAdd(app, list, opened);
      else if (how !== 'tab') runAction(app, list, 'Enter', row, opened);
    },
    onKey: (app, key, row) => pressInList(app, list, key, row, opened),
  };
}

/** Returns the results of what the list reads, as far as they are known, and why one is missing or may be outdated. */
function readData<T>({reads = []}: RecordList<T>, frame: Frame) {
  const states = reads.map((request) => fetched(frame, request));
  return {
    data: states.flatMap(({data}) => (data === undefined ? [] : [data])),
    problem: states.find(({error}) => error !== undefined)?.error,
  };
}

function emptyText<T>(list: RecordList<T>, frame: Frame): string {
  const {data, problem} = readData(list, frame);
  if (problem !== undefined) return problem;
  return list.reads !== undefined && data.length === 0 ? 'Loading…' : (list.empty ?? 'None');
}

function addRows<T>({add}: RecordList<T>, frame: Frame, query: string): readonly PickerRow[] {
  if (add === undefined || query.trim() !== '') return [];
  return [{key: addKey, label: add.label, right: 'Ctrl-A', disabled: add.disabledReason?.(frame)}];
}

/** Returns the rows that match the query; while there is nothing to show, a row below `add` says why. */
function recordRows<T>(list: RecordList<T>, frame: Frame, query: string): readonly PickerRow[] {
  const {data, problem} = readData(list, frame);
  const rows = list.reads === undefined || data.length > 0 ? list.rows(frame, data) : [];
  const written = query.trim();
  const note = (label: string): PickerRow => ({key: 'note', label, isTitle: true});
  if (rows.length === 0) return written === '' && list.add !== undefined ? [note(emptyText(list, frame))] : [];
  const failure = problem === undefined ? [] : [note(problem)];
  if (written === '') return [...rows, ...failure];
  const matches = matchingRows(rows, written);
  return matches.length > 0 ? [...matches, ...failure] : [note('No matches')];
}

/** Returns the rows that match, below their titles. */
function matchingRows(rows: readonly RecordRow[], written: string): readonly PickerRow[] {
  const inText = (text: string | undefined) => text?.toLowerCase().includes(written.toLowerCase()) === true;
  const matches: PickerRow[] = [];
  let title: RecordRow | undefined;
  for (const row of rows) {
    if (row.isTitle === true) {
      title = row;
      continue;
    }
    const match = fuzzyMatch(written, row.label);
    const isMatch = match !== undefined && match.score >= matchScores.inside;
    if (!isMatch && !inText(row.detail) && !inText(row.help)) continue;
    if (title !== undefined) matches.push(title);
    title = undefined;
    matches.push(isMatch ? {...row, matched: match.ranges} : row);
  }
  return matches;
}

function actionsOf<T>({actions = []}: RecordList<T>, frame: Frame, row: RecordRow): readonly RecordAction[] {
  return actions.filter(({appliesTo}) => appliesTo?.(row, frame) ?? true);
}

/** Returns the hints of what can be done with the row. */
function hintText<T>(list: RecordList<T>, frame: Frame, row: PickerRow | undefined): KeyEffects {
  const isRecord = row !== undefined && row.key !== addKey;
  const actions = isRecord
    ? actionsOf(list, frame, row).filter((action) => action.disabledReason?.(row, frame) === undefined)
    : [];
  const retry = readData(list, frame).problem === undefined ? undefined : retryKey(frame);
  const canMove = isRecord && list.move !== undefined && list.moveProblem?.(frame) === undefined;
  return {
    ...(retry !== undefined && {[retry]: retryEffect}),
    ...(row?.key === addKey && {Enter: 'adds'}),
    ...Object.fromEntries(actions.map(({key, hint}) => [key, hint])),
    ...(canMove && {'Alt-Up Alt-Down': 'move it'}),
    Esc: 'closes',
  };
}

function pressInList<T>(
  app: App,
  list: RecordList<T>,
  key: Key,
  row: PickerRow | undefined,
  opened: OpenedRecordList,
): boolean {
  const name = keyName(key);
  if (name === 'Ctrl-A' && list.add !== undefined) {
    runAdd(app, list, opened);
    return true;
  }
  if (name === 'Enter' || row === undefined || row.key === addKey) return false;
  if ((name === 'Alt-Up' || name === 'Alt-Down') && list.move !== undefined) {
    const problem = changeProblem(app) ?? list.moveProblem?.(app.frame);
    if (!app.warn(problem)) list.move(app, row, name === 'Alt-Up' ? -1 : 1, opened);
    return true;
  }
  if (row.disabled !== undefined && actionsOf(list, app.frame, row).some(({key: one}) => one === name)) {
    app.toast(row.disabled, 'warning');
    return true;
  }
  return runAction(app, list, name, row, opened);
}

function runAdd<T>(app: App, {add}: RecordList<T>, opened: OpenedRecordList): void {
  if (!app.warn(changeProblem(app) ?? add?.disabledReason?.(app.frame))) add?.run(app, opened);
}

/** Runs the action of a key on a row, after a confirmation if it wants one. Returns whether the row has such an action. */
function runAction<T>(app: App, list: RecordList<T>, key: string, row: RecordRow, opened: OpenedRecordList): boolean {
  const action = actionsOf(list, app.frame, row).find((one) => one.key === key);
  if (action === undefined) return false;
  const session = action.isReadOnly === true ? undefined : changeProblem(app);
  const problem = session ?? action.disabledReason?.(row, app.frame);
  const question = action.confirm?.(row, app.frame);
  if (problem !== undefined) app.toast(problem, 'warning');
  else if (question === undefined) action.run(app, row, opened);
  else confirm(app, {...question, onYes: (from) => action.run(from, row, opened)});
  return true;
}

interface RecordOrderOptions {
  /** For texts: `linkifiers`. */
  readonly what: string;
  /** The slice of the account state that has the records. */
  readonly slice: SliceName;
  /** Returns the keys of all records in their order. */
  keys(account: AccountState): readonly string[];
  send(context: SessionContext, keys: readonly string[]): Promise<unknown>;
  /** Returns what records stay together, such as those that are archived: a record moves over those of others. */
  group?(key: string, frame: Frame): unknown;
}

/** The order of records while the user moves them: shown at once, and sent one request after the other. */
class RecordOrder {
  readonly #listId: string;
  readonly #options: RecordOrderOptions;
  /** The order that the user wants, until the server reports one. */
  #wanted: readonly string[] | undefined;
  /** The server's order when the first unconfirmed move was made. */
  #before: readonly string[] = [];
  #isSending = false;

  constructor(listId: string, options: RecordOrderOptions) {
    this.#listId = listId;
    this.#options = options;
  }

  /** Returns the rows in the order to show. */
  sorted(account: AccountState, rows: readonly RecordRow[]): readonly RecordRow[] {
    const position = new Map(this.#keys(account).map((key, at) => [key, at]));
    return rows.toSorted((a, b) => (position.get(a.key) ?? Infinity) - (position.get(b.key) ?? Infinity));
  }

  /** Moves a record by one position in its group. */
  move(app: App, {key}: RecordRow, step: 1 | -1): void {
    const keys = this.#keys(app.state);
    const groupOf = (one: string) => this.#options.group?.(one, app.frame);
    const shown = keys.filter((one) => groupOf(one) === groupOf(key));
    const neighbor = shown[shown.indexOf(key) + step];
    if (neighbor === undefined) return;
    const rest = keys.filter((one) => one !== key);
    const wanted = rest.toSpliced(rest.indexOf(neighbor) + (step === 1 ? 1 : 0), 0, key);
    if (!this.#isSending) this.#before = this.#options.keys(app.state);
    this.#wanted = wanted;
    refreshPicker(app, this.#listId);
    if (!this.#isSending) this.#send(app);
  }

  #keys(account: AccountState): readonly string[] {
    const current = this.#options.keys(account);
    return this.#wanted?.length === current.length ? this.#wanted : current;
  }

  /** Whatever the server reports next is the order, also another client's. */
  #forgetWhenReported(app: App): void {
    const {slice, keys} = this.#options;
    const forget = () => {
      if (this.#isSending) return;
      leave();
      this.#wanted = undefined;
      refreshPicker(app, this.#listId);
    };
    const leave = app.session.cache.subscribe([slice], forget);
    if (this.#wanted === undefined || deepEqual(keys(app.state), this.#wanted)) forget();
  }

  #send(app: App): void {
    const {what, send} = this.#options;
    const {context} = app.session;
    const before = this.#before;
    let wanted = before;
    this.#isSending = true;
    changeOnServer(app, {
      send: async () => {
        let sent: readonly string[] | undefined;
        try {
          // Moves made while a request is on its way are sent together after it.
          while (this.#wanted !== undefined && this.#wanted !== sent) {
            sent = this.#wanted;
            await send(context, sent);
            wanted = sent;
          }
        } catch (error) {
          this.#wanted = undefined;
          throw error;
        } finally {
          this.#isSending = false;
          this.#forgetWhenReported(app);
        }
      },
      failureText: 'Not moved',
      label: `Changed the order of ${what}`,
      undo: () => send(context, before),
      redo: () => send(context, wanted),
      undoneText: `Restored the order of ${what}`,
      undoFailureText: `The order of ${what} was not restored`,
    });
  }
}
