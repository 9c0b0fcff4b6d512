import type {App} from '#app/core/app.ts';
import {openFetchedCard} from '#app/overlays/cards.ts';
import {editHistory, readReceipts} from '#state/fetches/queries.ts';
import type {Message} from '#state/model/message.ts';
import {editHistoryLines} from '#ui/message-actions/edit-history-lines.ts';
import {receiptLines} from '#ui/message-actions/receipt-lines.ts';

/** Opens a card with the message's edits and moves. */
export function openEditHistory(app: App, {id}: Pick<Message, 'id'>): void {
  openFetchedCard(app, {
    id: 'history',
    title: 'Edit history',
    columns: 90,
    hint: {Esc: 'closes'},
    request: editHistory(id),
    lines: editHistoryLines,
  });
}

/** Opens a card with the people who have read the message and share read receipts. */
export function openReceipts(app: App, {id}: Pick<Message, 'id'>): void {
  openFetchedCard(app, {
    id: 'receipts',
    title: 'Read by',
    titleOf: (readers) => `Read by ${peopleText(readers.length)}`,
    columns: 48,
    hint: {Esc: 'closes'},
    request: readReceipts(id),
    lines: receiptLines,
  });
}

function peopleText(count: number): string {
  if (count === 0) return 'no one yet';
  if (count === 1) return '1 person';
  return `${count} people`;
}
