import type {AccountState, SliceName} from '#state/state.ts';
import {deepEqual} from '#std/deep-equal.ts';
import {changeOnServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {refreshPicker} from '#ui/overlays/picker.ts';
import type {RecordRow} from './record-list.ts';

interface RecordOrderOptions {
  /** The record list that shows the records. */
  readonly listId: string;
  /** For texts: `linkifiers`. */
  readonly what: string;
  /** The slice of the account state that has the records. */
  readonly slice: SliceName;
  /** Returns the keys of all records in their order. */
  keys(account: AccountState): readonly string[];
  send(app: App, keys: readonly string[]): Promise<unknown>;
}

/** The order of records while the user moves them: shown at once, and sent one request after the other. */
export class RecordOrder {
  readonly #options: RecordOrderOptions;
  /** The order that the user wants, until the server reports one. */
  #wanted: readonly string[] | undefined;
  /** The server's order when the first unconfirmed move was made. */
  #before: readonly string[] = [];
  #isSending = false;

  constructor(options: RecordOrderOptions) {
    this.#options = options;
  }

  /** Returns the rows in the order to show. */
  sorted(account: AccountState, rows: readonly RecordRow[]): readonly RecordRow[] {
    const position = new Map(this.#keys(account).map((key, at) => [key, at]));
    return rows.toSorted((a, b) => (position.get(a.key) ?? Infinity) - (position.get(b.key) ?? Infinity));
  }

  /** Moves a record by one position, over the records for which `isShown` is false. */
  move(app: App, {key}: RecordRow, step: 1 | -1, isShown: (key: string) => boolean = () => true): void {
    const keys = this.#keys(app.state);
    const shown = keys.filter(isShown);
    const neighbor = shown[shown.indexOf(key) + step];
    if (neighbor === undefined) return;
    const rest = keys.filter((one) => one !== key);
    const wanted = rest.toSpliced(rest.indexOf(neighbor) + (step === 1 ? 1 : 0), 0, key);
    if (!this.#isSending) this.#before = this.#options.keys(app.state);
    this.#wanted = wanted;
    refreshPicker(app, this.#options.listId);
    if (!this.#isSending) this.#send(app);
  }

  #keys(account: AccountState): readonly string[] {
    const current = this.#options.keys(account);
    return this.#wanted?.length === current.length ? this.#wanted : current;
  }

  /** Whatever the server reports next is the order, also another client's. */
  #forgetWhenReported(app: App): void {
    const {listId, slice, keys} = this.#options;
    const forget = () => {
      if (this.#isSending) return;
      leave();
      this.#wanted = undefined;
      refreshPicker(app, listId);
    };
    const leave = app.session.cache.subscribe([slice], forget);
    if (this.#wanted === undefined || deepEqual(keys(app.state), this.#wanted)) forget();
  }

  #send(app: App): void {
    const {what, send} = this.#options;
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
            await send(app, sent);
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
      undo: () => send(app, before),
      redo: () => send(app, wanted),
      undoneText: `Restored the order of ${what}`,
      undoFailureText: `The order of ${what} was not restored`,
    });
  }
}
