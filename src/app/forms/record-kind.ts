import type {App} from '#app/core/app.ts';
import {changeOnServer, requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {Form, FormField, FormValues} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {openForm, valuesBefore} from './open-form.ts';
import {openRecordList, type RecordAction, type RecordList, recordAction, viewAction} from './record-list.ts';

/** What is said about a change, and about undoing it. */
interface ChangeTexts {
  /** Past tense: `Removed the domain zulip.com`. */
  readonly done: string;
  /** Undefined where it cannot be undone. */
  readonly undone?: string | undefined;
  /** Shown before the reason why it was not undone: `The domain was not added again`. */
  readonly notUndone?: string;
  /** Shown while it is undone; what was done by default. */
  readonly undoing?: string;
}

/** The change of a record: the values that are changed, all values, and the record as it was before. */
export interface RecordChange<R, V> {
  readonly changes: Partial<V>;
  readonly values: V;
  readonly record: R;
}

interface RecordRemoval<R, K> {
  readonly remove: (context: SessionContext, key: K) => Promise<unknown>;
  /** For the hint line; `remove` by default. */
  readonly hint?: string;
  readonly confirm?: RecordAction['confirm'];
  readonly texts: (record: R) => ChangeTexts & {readonly failed: string};
  /** Adds a removed record again; as a new one by default. */
  readonly restore?: (context: SessionContext, record: R, before: AccountState) => Promise<K>;
}

/**
 * A kind of records that a list shows and that a form creates and changes: the list, the fields and texts of the form, and
 * the requests. Undo sends the opposite request with the values of before, and redo the request again.
 */
export interface RecordKind<R, V extends FormValues, K extends string | number> {
  /** Identifies the forms of the records: `linkifier`. */
  readonly noun: string;
  readonly list: Omit<RecordList, 'add' | 'actions'> & {
    readonly addLabel: string;
    /** The actions besides Enter and Delete. */
    readonly actions?: readonly RecordAction[];
  };
  readonly keyOf: (rowKey: string) => K;
  readonly find: (account: AccountState, key: K) => R | undefined;
  /** Returns why the user may not create, change and remove records. */
  readonly changeReason?: (frame: Frame) => string | undefined;
  readonly form: Pick<Form<V>, 'columns'> & {
    readonly title: string;
    readonly newTitle: string;
    /** The label of the row that creates a record. */
    readonly createLabel: string;
    /** Returns the values of a record, or of a new one. */
    readonly values: (record: R | undefined) => V;
    readonly fields: (frame: Frame, values: V, record: R | undefined) => readonly FormField[];
    /** Returns the field that a failure is about; by default the only changed field. */
    readonly errorField?: (error: unknown, record: R | undefined) => string | undefined;
  };
  readonly create: (context: SessionContext, values: V) => Promise<K>;
  readonly created: (values: V) => ChangeTexts;
  readonly update: (context: SessionContext, key: K, change: RecordChange<R, V>) => Promise<unknown>;
  readonly updated: (values: V, before: V, change: RecordChange<R, V>) => ChangeTexts;
  /** How a record is removed; undefined where records stay. */
  readonly removal?: RecordRemoval<R, K>;
}

/** Opens the list of the records, to look at them, and to create, change, move and remove them. */
export function openRecords<R, V extends FormValues, K extends string | number>(
  app: App,
  kind: RecordKind<R, V, K>,
): void {
  const {list, changeReason, keyOf} = kind;
  const {addLabel, actions = [], ...shown} = list;
  openRecordList(app, {
    ...shown,
    add: {label: addLabel, disabledReason: changeReason, run: (from) => openRecordForm(from, kind, undefined)},
    actions: [
      viewAction('Enter', 'edit', (from, {key}) => openRecordForm(from, kind, keyOf(key))),
      ...removeActions(kind),
      ...actions,
    ],
  });
}

/** Returns the action that removes a record, if records can be removed. */
export function removeActions<R, V extends FormValues, K extends string | number>(
  kind: RecordKind<R, V, K>,
): readonly RecordAction[] {
  const {removal, changeReason, keyOf} = kind;
  if (removal === undefined) return [];
  return [
    recordAction('Delete', removal.hint ?? 'remove', {
      disabledReason: (_row, frame) => changeReason?.(frame),
      confirm: removal.confirm,
      run: (app, {key}) => removeRecord(app, kind, removal, keyOf(key)),
    }),
  ];
}

/** Opens the form for a record; `key` is undefined for a new one, which begins with these values. */
export function openRecordForm<R, V extends FormValues, K extends string | number>(
  app: App,
  kind: RecordKind<R, V, K>,
  key: K | undefined,
  start: Partial<V> = {},
): void {
  const {noun, find, form, changeReason} = kind;
  const recordIn = ({account}: Frame) => (key === undefined ? undefined : find(account, key));
  openForm<V>(app, {
    id: `${noun} ${key ?? 'new'}`,
    title: key === undefined ? form.newTitle : form.title,
    columns: form.columns,
    ...(key === undefined && {isNew: true as const, saveLabel: form.createLabel}),
    initial: (frame) => ({...form.values(recordIn(frame)), ...start}),
    fields: (frame, values) => {
      const record = recordIn(frame);
      // A record that was removed meanwhile has no fields.
      return key !== undefined && record === undefined ? [] : form.fields(frame, values, record);
    },
    ...(changeReason !== undefined && {disabledReason: changeReason}),
    errorField: (error) => form.errorField?.(error, recordIn(app.frame)),
    save: (from, changes, values, before) =>
      key === undefined ? createRecord(from, kind, values) : changeRecord(from, kind, key, changes, values, before),
  });
}

async function createRecord<R, V extends FormValues, K extends string | number>(
  app: App,
  {create, created, removal}: RecordKind<R, V, K>,
  values: V,
): Promise<string | ToastMessage> {
  const {context} = app.session;
  const key = await create(context, values);
  return doneToast(app, created(values), removal && (() => removal.remove(context, key)));
}

async function changeRecord<R, V extends FormValues, K extends string | number>(
  app: App,
  {find, update, updated}: RecordKind<R, V, K>,
  key: K,
  changes: Partial<V>,
  values: V,
  before: V,
): Promise<string | ToastMessage> {
  const {context} = app.session;
  const record = find(app.state, key);
  if (record === undefined) throw new Error('It was removed');
  const change = {changes, values, record};
  await update(context, key, change);
  const undo = () => update(context, key, {changes: valuesBefore(changes, before), values: before, record});
  return doneToast(app, updated(values, before, change), undo);
}

function doneToast(
  app: App,
  {done, undone, notUndone = '', undoing}: ChangeTexts,
  undo: (() => Promise<unknown>) | undefined,
): string | ToastMessage {
  if (undone === undefined || undo === undefined) return done;
  const undoingText = undoing === undefined ? {} : {undoingText: undoing};
  return undoOffer(app, {label: done, undo, undoneText: undone, failureText: notUndone, ...undoingText});
}

function removeRecord<R, V extends FormValues, K extends string | number>(
  app: App,
  {find, create, form}: RecordKind<R, V, K>,
  {remove, texts, restore}: RecordRemoval<R, K>,
  key: K,
): void {
  const {context} = app.session;
  const {state: before} = app;
  const record = find(before, key);
  if (record === undefined) return;
  const {done, failed, undone, notUndone = '', undoing} = texts(record);
  const removal = {send: () => remove(context, key), failureText: failed};
  if (undone === undefined) {
    requestFromServer(app, {...removal, doneText: () => done});
    return;
  }
  changeOnServer(app, {
    ...removal,
    label: done,
    undo: () => restore?.(context, record, before) ?? create(context, form.values(record)),
    redo: (newKey) => remove(context, newKey),
    undoneText: undone,
    undoFailureText: notUndone,
    ...(undoing !== undefined && {undoingText: undoing}),
  });
}
