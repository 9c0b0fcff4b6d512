import type {App} from '#app/core/app.ts';
import {changeOnServer, requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import type {FormField, FormValues} from '#ui/core/form.ts';
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

interface RecordKindOptions<R, V extends FormValues, K extends string | number> {
  /** Identifies the forms of the records: `linkifier`. */
  readonly noun: string;
  readonly list: Omit<RecordList, 'add' | 'actions'> & {
    readonly addLabel: string;
    /** The actions besides Enter, and Delete where records can be removed. */
    readonly actions?: readonly RecordAction[];
  };
  readonly keyOf: (rowKey: string) => K;
  readonly find: (account: AccountState, key: K) => R | undefined;
  /** Returns why the user may not create, change and remove records. */
  readonly changeReason?: (frame: Frame) => string | undefined;
  readonly form: {
    readonly title: string;
    readonly newTitle: string;
    /** The label of the row that creates a record. */
    readonly createLabel: string;
    readonly columns?: number;
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
  readonly removal?: {
    readonly remove: (context: SessionContext, key: K) => Promise<unknown>;
    /** For the hint line; `remove` by default. */
    readonly hint?: string;
    readonly confirm?: RecordAction['confirm'];
    readonly texts: (record: R) => ChangeTexts & {readonly failed: string};
    /** Adds a removed record again; as a new one by default. */
    readonly restore?: (context: SessionContext, record: R, before: AccountState) => Promise<K>;
  };
}

/**
 * A kind of records that a list shows and that a form creates and changes: the list, the fields and texts of the form, and
 * the requests. Undo sends the opposite request with the values of before, and redo the request again.
 */
export class RecordKind<R, V extends FormValues, K extends string | number> {
  readonly #options: RecordKindOptions<R, V, K>;

  constructor(options: RecordKindOptions<R, V, K>) {
    this.#options = options;
  }

  get list(): RecordKindOptions<R, V, K>['list'] {
    return this.#options.list;
  }

  /** Opens the list of the records, to look at them, and to create, change, move and remove them. */
  readonly open = (app: App): void => {
    const {list, changeReason, keyOf} = this.#options;
    const {addLabel, actions = [], ...shown} = list;
    openRecordList(app, {
      ...shown,
      add: {label: addLabel, disabledReason: changeReason, run: (from) => this.openForm(from, undefined)},
      actions: [
        viewAction('Enter', 'edit', (from, {key}) => this.openForm(from, keyOf(key))),
        ...this.removeActions(),
        ...actions,
      ],
    });
  };

  /** Returns the action that removes a record, if records can be removed. */
  removeActions(): readonly RecordAction[] {
    const {removal, changeReason, keyOf} = this.#options;
    if (removal === undefined) return [];
    return [
      recordAction('Delete', removal.hint ?? 'remove', {
        disabledReason: (_row, frame) => changeReason?.(frame),
        confirm: removal.confirm,
        run: (app, {key}) => this.#remove(app, keyOf(key)),
      }),
    ];
  }

  /** Opens the form for a record; `key` is undefined for a new one, which begins with these values. */
  openForm(app: App, key: K | undefined, start: Partial<V> = {}): void {
    const {noun, find, form, changeReason} = this.#options;
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
        key === undefined ? this.#create(from, values) : this.#change(from, key, changes, values, before),
    });
  }

  async #create(app: App, values: V): Promise<string | ToastMessage> {
    const {create, created, removal} = this.#options;
    const {context} = app.session;
    const key = await create(context, values);
    return doneToast(app, created(values), async () => removal?.remove(context, key));
  }

  async #change(app: App, key: K, changes: Partial<V>, values: V, before: V): Promise<string | ToastMessage> {
    const {find, update, updated} = this.#options;
    const {context} = app.session;
    const record = find(app.state, key);
    if (record === undefined) throw new Error('It was removed');
    const change = {changes, values, record};
    await update(context, key, change);
    const undo = () => update(context, key, {changes: valuesBefore(changes, before), values: before, record});
    return doneToast(app, updated(values, before, change), undo);
  }

  #remove(app: App, key: K): void {
    const {find, create, form, removal} = this.#options;
    const {context} = app.session;
    const {state: before} = app;
    const record = find(before, key);
    if (record === undefined || removal === undefined) return;
    const {remove, restore} = removal;
    const {done, failed, undone, notUndone = '', undoing = `Undoing: ${done}`} = removal.texts(record);
    const request = {send: () => remove(context, key), failureText: failed};
    if (undone === undefined) {
      requestFromServer(app, {...request, doneText: () => done});
      return;
    }
    changeOnServer(app, {
      ...request,
      label: done,
      undo: () => restore?.(context, record, before) ?? create(context, form.values(record)),
      redo: (newKey) => remove(context, newKey),
      undoingText: undoing,
      undoneText: undone,
      undoFailureText: notUndone,
    });
  }
}

/** Returns the toast of a change, which names the undo key where it can be undone. */
function doneToast(app: App, texts: ChangeTexts, undo: () => Promise<unknown>): string | ToastMessage {
  const {done, undone, notUndone = '', undoing = `Undoing: ${done}`} = texts;
  if (undone === undefined) return done;
  return undoOffer(app, {label: done, undo, undoingText: undoing, undoneText: undone, failureText: notUndone});
}
