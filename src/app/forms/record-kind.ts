import type {App} from '#app/core/app.ts';
import {changeOnServer, requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {AccountState} from '#state/state.ts';
import {type Form, type FormAction, type FormField, type FormValues, formAction} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {openForm, valuesBefore} from './open-form.ts';
import {
  type ConfirmTexts,
  openRecordList,
  type RecordAction,
  type RecordList,
  type RecordRow,
  recordAction,
  viewAction,
} from './record-list.ts';

/** What is said about a change, and about undoing it. */
interface ChangeTexts {
  /** Past tense: `Removed the domain zulip.com`. */
  readonly done: string;
  /** Shown behind it where it cannot be undone. */
  readonly hint?: string;
  /** Undefined where it cannot be undone. */
  readonly undone?: string | undefined;
  /** Shown before the reason why it was not undone: `The domain was not added again`. */
  readonly notUndone?: string;
  /** Shown while it is undone; what was done by default. */
  readonly undoing?: string;
}

/** The texts of a change that a key of the list makes. */
interface RequestTexts extends ChangeTexts {
  /** Shown before the reason why it was not done. */
  readonly failed: string;
}

/** The change of a record: the values that are changed, all values, those before, and the record as it was before. */
export interface RecordChange<R, V> {
  readonly changes: Partial<V>;
  readonly values: V;
  readonly before: V;
  readonly record: R;
}

/** How a record is removed, or deactivated. */
interface Removal<R, K> {
  readonly remove: (context: SessionContext, key: K) => Promise<unknown>;
  /** For the hint line; `remove` by default. */
  readonly hint?: string;
  /** Returns why this record cannot be removed, though it may be changed. */
  readonly reason?: (frame: Frame, record: R) => string | undefined;
  readonly confirm?: (record: R, frame: Frame) => ConfirmTexts;
  readonly texts: (record: R, account: AccountState) => RequestTexts;
  /** The label of a row of the form that removes the record; without it there is none. */
  readonly formLabel?: (frame: Frame, record: R) => string | undefined;
  /** Adds a removed record again; as a new one by default. */
  readonly restore?: (context: SessionContext, record: R, before: AccountState) => Promise<K>;
  /** For records that stay in the list when they are removed: the key that restores them. */
  readonly restoring?: {
    readonly isRemoved: (record: R) => boolean;
    readonly key: string;
    readonly hint: string;
    readonly reason?: (frame: Frame, record: R) => string | undefined;
    readonly formLabel?: string;
  };
}

interface RecordKindOptions<R, V extends FormValues, K> {
  /** Identifies the forms of the records: `linkifier`. */
  readonly noun: string;
  readonly list: Omit<RecordList<readonly R[]>, 'add' | 'actions'> & {
    readonly addLabel: string;
    /** The actions besides those that change, remove and restore a record. */
    readonly actions?: readonly RecordAction[];
  };
  readonly keyOf: (rowKey: string) => K;
  readonly find: (frame: Frame, key: K) => R | undefined;
  /** Returns why the user may not change and remove the record; without one, why they may not create any. */
  readonly changeReason?: (frame: Frame, record: R | undefined) => string | undefined;
  readonly form: {
    /** The title of the form that changes a record. */
    readonly title?: string | ((account: AccountState, record: R) => string);
    readonly newTitle: string;
    /** The label of the row that creates a record. */
    readonly createLabel: string;
    readonly columns?: number;
    /** Returns the values of a record, or of a new one. */
    readonly values: (record: R | undefined, frame: Frame) => V;
    readonly fields: (frame: Frame, values: V, record: R | undefined) => readonly FormField[];
    /** Returns further rows of the form. */
    readonly actions?: (frame: Frame, record: R | undefined, form: Form<V>) => readonly FormAction[];
    /** Returns the field that a failure is about; by default the only changed field. */
    readonly errorField?: (error: unknown, record: R | undefined) => string | undefined;
  };
  /** Resolves with the key of the new record; undefined where its creation is not undone. */
  readonly create: (
    context: SessionContext,
    values: V,
    from: {readonly app: App; readonly changes: Partial<V>},
  ) => Promise<K | undefined>;
  /** Undefined where `create` has said it. */
  readonly created: (values: V) => ChangeTexts | undefined;
  /** How a record is changed; undefined where records stay as they are. */
  readonly change?: {
    /** The key that opens the form; `Enter` by default. */
    readonly key?: string;
    readonly update: (context: SessionContext, key: K, change: RecordChange<R, V>) => Promise<unknown>;
    readonly texts: (change: RecordChange<R, V>) => ChangeTexts;
  };
  /** Undefined where records cannot be removed. */
  readonly removal?: Removal<R, K>;
}

/**
 * A kind of records that a list shows and that a form creates and changes: the list, the fields and texts of the form, and
 * the requests. Undo sends the opposite request with the values of before, and redo the request again.
 */
export class RecordKind<R, V extends FormValues, K> {
  readonly #options: RecordKindOptions<R, V, K>;

  constructor(options: RecordKindOptions<R, V, K>) {
    this.#options = options;
  }

  get list(): RecordKindOptions<R, V, K>['list'] {
    return this.#options.list;
  }

  /** Opens the list of the records, to look at them, and to create, change, move and remove them. */
  readonly open = (app: App): void => {
    const {list, change, changeReason, keyOf} = this.#options;
    const {addLabel, actions = [], ...shown} = list;
    const editing =
      change && viewAction(change.key ?? 'Enter', 'edit', (from, {key}) => this.openForm(from, keyOf(key)));
    openRecordList(app, {
      ...shown,
      add: {label: addLabel, disabledReason: (frame) => changeReason?.(frame, undefined), run: this.openNew},
      // Enter comes first in the hint line.
      actions: [...(editing ? [editing] : []), ...actions, ...this.removeActions()].sort(
        (a, b) => Number(b.key === 'Enter') - Number(a.key === 'Enter'),
      ),
    });
  };

  /** Returns the actions that remove a record and restore it, as far as records have them. */
  removeActions(): readonly RecordAction[] {
    const {removal, keyOf} = this.#options;
    if (removal === undefined) return [];
    const stepOf = ({key}: RecordRow, frame: Frame) => this.#removalStep(frame, keyOf(key));
    const action = (id: string, key: string, hint: string) =>
      recordAction(key, hint, {
        appliesTo: (row, frame) => stepOf(row, frame)?.id === id,
        disabledReason: (row, frame) => stepOf(row, frame)?.disabled,
        confirm: (row, frame) => stepOf(row, frame)?.confirm,
        run: (app, row) => stepOf(row, app.frame)?.run(app),
      });
    const {hint = 'remove', restoring} = removal;
    const removing = action('remove', 'Delete', hint);
    return restoring === undefined ? [removing] : [removing, action('restore', restoring.key, restoring.hint)];
  }

  /** Opens the form for a new record. */
  readonly openNew = (app: App): void => this.openForm(app, undefined);

  /** Opens the form for a record; `key` is undefined for a new one, which begins with these values. */
  openForm(app: App, key: K | undefined, start: Partial<V> = {}): void {
    const {noun, find, form, changeReason} = this.#options;
    const recordIn = (frame: Frame) => (key === undefined ? undefined : find(frame, key));
    const opened: Form<V> = {
      id: `${noun} ${key ?? 'new'}`,
      title: this.#title(app, key),
      columns: form.columns,
      ...(key === undefined && {isNew: true as const, saveLabel: form.createLabel}),
      initial: (frame) => ({...form.values(recordIn(frame), frame), ...start}),
      fields: (frame, values) => {
        const record = recordIn(frame);
        // A record that was removed meanwhile has no fields.
        return key !== undefined && record === undefined ? [] : form.fields(frame, values, record);
      },
      actions: (frame) => {
        const removal = key === undefined ? undefined : this.#removalStep(frame, key);
        const rows = form.actions?.(frame, recordIn(frame), opened) ?? [];
        return removal === undefined || removal.label === '' ? rows : [...rows, removal];
      },
      ...(changeReason !== undefined && {disabledReason: (frame) => changeReason(frame, recordIn(frame))}),
      errorField: (error) => form.errorField?.(error, recordIn(app.frame)),
      save: (from, changes, values, before) =>
        key === undefined ? this.#create(from, changes, values) : this.#change(from, key, {changes, values, before}),
    };
    openForm<V>(app, opened);
  }

  #title({frame}: App, key: K | undefined): string {
    const {find, form} = this.#options;
    const {title = form.newTitle, newTitle} = form;
    const record = key === undefined ? undefined : find(frame, key);
    if (record === undefined) return newTitle;
    return typeof title === 'string' ? title : title(frame.account, record);
  }

  /** Returns what removes the record, or restores a removed one, as a row of its form. Without a label the form has none. */
  #removalStep(frame: Frame, key: K): FormAction | undefined {
    const {find, changeReason, removal} = this.#options;
    const record = find(frame, key);
    if (record === undefined || removal === undefined) return undefined;
    const {restoring} = removal;
    if (restoring?.isRemoved(record) === true) {
      return formAction('restore', restoring.formLabel ?? '', {
        disabled: restoring.reason?.(frame, record),
        run: (app) => this.#restore(app, removal, key, record),
      });
    }
    return formAction('remove', removal.formLabel?.(frame, record) ?? '', {
      disabled: changeReason?.(frame, record) ?? removal.reason?.(frame, record),
      confirm: removal.confirm?.(record, frame),
      run: (app) => this.#remove(app, removal, key, record),
    });
  }

  async #create(app: App, changes: Partial<V>, values: V): Promise<string | ToastMessage | undefined> {
    const {create, created, removal} = this.#options;
    const {context} = app.session;
    const key = await create(context, values, {app, changes});
    this.#reload(app);
    const texts = created(values);
    const undo = key !== undefined && removal && (() => removal.remove(context, key));
    return texts && doneToast(app, texts, undo || undefined);
  }

  async #change(app: App, key: K, saved: Omit<RecordChange<R, V>, 'record'>): Promise<string | ToastMessage> {
    const {find, change} = this.#options;
    const {context} = app.session;
    const {changes, values, before} = saved;
    const record = find(app.frame, key);
    if (record === undefined || change === undefined) throw new Error('It was removed');
    await change.update(context, key, {...saved, record});
    const opposite = {changes: valuesBefore(changes, before), values: before, before: values, record};
    return doneToast(app, change.texts({...saved, record}), () => change.update(context, key, opposite));
  }

  #remove(app: App, {remove, restore, texts}: Removal<R, K>, key: K, record: R): void {
    const {create, form} = this.#options;
    const {frame} = app;
    const {context} = app.session;
    const createAgain = (values: V) => create(context, values, {app, changes: values});
    this.#send(app, texts(record, frame.account), {
      send: () => remove(context, key),
      undo: () => restore?.(context, record, frame.account) ?? createAgain(form.values(record, frame)),
      redo: async (newKey) => newKey !== undefined && remove(context, newKey),
    });
  }

  #restore(app: App, {remove, restore, texts}: Removal<R, K>, key: K, record: R): void {
    const {context} = app.session;
    const {done, failed, undone = '', notUndone = ''} = texts(record, app.state);
    const restored = {done: undone, failed: notUndone, undone: done, notUndone: failed};
    this.#send(app, restored, {
      send: async () => restore?.(context, record, app.state),
      undo: () => remove(context, key),
    });
  }

  #send<U>(
    app: App,
    texts: RequestTexts,
    change: Pick<Parameters<typeof changeOnServer<U>>[1], 'send' | 'undo' | 'redo'>,
  ) {
    const {done, failed, undone, notUndone = '', undoing} = texts;
    const send = async () => {
      await change.send();
      this.#reload(app);
    };
    if (undone === undefined) {
      requestFromServer(app, {send, failureText: failed, doneText: () => done});
      return;
    }
    changeOnServer(app, {
      ...change,
      send,
      failureText: failed,
      label: done,
      undoingText: undoing,
      undoneText: undone,
      undoFailureText: notUndone,
    });
  }

  /** Fetches the records again where no event reports their changes. */
  #reload(app: App): void {
    app.session.queries.fetchAgain(this.#options.list.reads ?? []);
  }
}

/** Returns the toast of a change, which names the undo key where it can be undone. */
function doneToast(app: App, texts: ChangeTexts, undo: (() => Promise<unknown>) | undefined): string | ToastMessage {
  const {done, hint, undone, notUndone = '', undoing} = texts;
  if (undone === undefined || undo === undefined) return hint === undefined ? done : {text: done, hint};
  return undoOffer(app, {label: done, undo, undoingText: undoing, undoneText: undone, failureText: notUndone});
}
