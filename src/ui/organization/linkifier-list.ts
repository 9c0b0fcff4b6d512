import {addLinkifier, removeLinkifier, reorderLinkifiers} from '#state/actions/organization.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {openRecordList, type RecordRow} from '#ui/forms/record-list.ts';
import {RecordOrder} from '#ui/forms/record-order.ts';
import {undoOffer} from '#ui/undo/undo-request.ts';
import {reorderLinkifiers as reordering} from '#wire/endpoints/organization.ts';
import {openLinkifierForm, wireLinkifier} from './linkifier-form.ts';
import {administratorReason, serverReason} from './organization-rights.ts';

const listId = 'linkifiers';

/** Opens the list of linkifiers, to add, change, move and remove them. The first that matches a text wins. */
export function openLinkifierList(app: App): void {
  const order = new RecordOrder({
    listId,
    what: 'linkifiers',
    slice: 'linkifiers',
    keys: ({linkifiers}) => linkifiers.map(({id}) => String(id)),
    send: ({session}, keys) => reorderLinkifiers(session.context, keys.map(Number)),
  });
  openRecordList(app, {
    id: listId,
    title: 'Linkifiers',
    empty: 'No linkifiers: they turn texts such as #123 into links',
    rows: ({account}) => {
      const rows = account.linkifiers.map(
        ({id, pattern, urlTemplate}): RecordRow => ({key: String(id), label: pattern, detail: urlTemplate}),
      );
      return order.sorted(account, rows);
    },
    add: {
      label: 'New linkifier…',
      disabledReason: administratorReason,
      run: (from) => openLinkifierForm(from, undefined),
    },
    actions: [
      {key: 'Enter', hint: 'edit', isReadOnly: true, run: (from, {key}) => openLinkifierForm(from, Number(key))},
      {
        key: 'Delete',
        hint: 'remove',
        disabledReason: (_row, frame) => administratorReason(frame),
        confirm: ({label}) => ({title: `Remove the linkifier ${label}?`, yes: 'Remove'}),
        run: (from, {key}) => remove(from, Number(key)),
      },
    ],
    move: (from, row, step) => order.move(from, row, step),
    moveProblem: (frame) => administratorReason(frame) ?? serverReason(frame, reordering),
  });
}

function remove(app: App, id: number): void {
  const {context} = app.session;
  const {linkifiers} = app.state;
  const removed = linkifiers.find((one) => one.id === id);
  if (removed === undefined) return;
  const addAgain = async () => {
    const newId = await addLinkifier(context, wireLinkifier(removed));
    const isReorderable = serverReason(app.frame, reordering) === undefined;
    // A new linkifier is the last one.
    if (isReorderable) {
      await reorderLinkifiers(
        context,
        linkifiers.map((one) => (one.id === id ? newId : one.id)),
      );
    }
  };
  requestFromServer(app, {
    send: () => removeLinkifier(context, id),
    doneText: () =>
      undoOffer(app, {
        label: `Removed the linkifier ${removed.pattern}`,
        undo: addAgain,
        undoneText: `Added the linkifier ${removed.pattern} again`,
        failureText: 'The linkifier was not added again',
      }),
    failureText: 'The linkifier was not removed',
  });
}
