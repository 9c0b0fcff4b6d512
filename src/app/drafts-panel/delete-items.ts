import type {App} from '#app/core/app.ts';
import {reportFailure, requestFromServer} from '#app/requests/server-request.ts';
import {withRedoKey, withUndoKey} from '#ui/core/toast-message.ts';
import {isUncertain} from '#wire/failure.ts';

/** How items of the drafts panel that the server has are deleted, each by a request of its own, and created again. */
interface ItemDeletion<T> {
  readonly labelOf: (items: readonly T[]) => string;
  readonly progressText: string;
  readonly failureText: string;
  readonly remove: (item: T) => Promise<unknown>;
  readonly restoringText: string;
  readonly restoredText: (items: readonly T[]) => string;
  /** Creates an item again and resolves with it: it has another ID. Resolves with undefined if it saved a draft instead. */
  readonly restore: (item: T) => Promise<T | undefined>;
}

/** Deletes items. Those that the server deleted can be restored, also when it did not delete the others. */
export function deleteItems<T>(app: App, items: readonly T[], deletion: ItemDeletion<T>): void {
  if (items.length === 0) return;
  const {labelOf, progressText, failureText, remove} = deletion;
  requestFromServer(app, {
    progressText,
    failureText,
    send: () => sendEach(items, remove),
    doneText: ({done, failure}) => {
      const deleted = done.map(({item}) => item);
      pushRestoration(app, deleted, deletion);
      if (failure === undefined) return withUndoKey(labelOf(deleted));
      const left = `${failureText} (${items.length - deleted.length} of ${items.length})`;
      reportFailure(app, failure.error, {failureText: left, progressText});
      return undefined;
    },
  });
}

/** Adds the deletion of items to the undo history. */
function pushRestoration<T>(app: App, items: readonly T[], deletion: ItemDeletion<T>): void {
  const {labelOf, restoringText, restoredText, restore} = deletion;
  let left = items;
  const restored: T[] = [];
  const restoreLeft = async () => {
    const {done, failure} = await sendEach(left, restore);
    left = left.filter((item) => !done.some((one) => one.item === item));
    restored.push(...done.flatMap(({value}) => value ?? []));
    if (failure !== undefined) throw failure.error;
  };
  app.undoStack.push({
    label: labelOf(items),
    undo: () => {
      requestFromServer(app, {
        send: restoreLeft,
        doneText: () => (restored.length < items.length ? undefined : withRedoKey(restoredText(items))),
        failureText: 'Not restored',
      });
      return restoringText;
    },
    redo: () => {
      if (restored.length < items.length) throw new Error('not all was restored: some of it is a draft now.');
      deleteItems(app, restored, deletion);
      return undefined;
    },
  });
}

/**
 * Sends a request for each item. Resolves with those that succeeded and one failure; fails if none succeeded. Of several failures it
 * is one whose result is unknown, if there is one: to report another would say that nothing was done.
 */
async function sendEach<T, R>(items: readonly T[], send: (item: T) => Promise<R>) {
  const results = await Promise.allSettled(items.map(async (item) => ({item, value: await send(item)})));
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [{error: result.reason as unknown}] : [],
  );
  const failure = failures.find(({error}) => isUncertain(error)) ?? failures[0];
  if (done.length === 0 && failure !== undefined) throw failure.error;
  return {done, failure};
}
