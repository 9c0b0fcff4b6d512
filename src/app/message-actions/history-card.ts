import type {App} from '#app/core/app.ts';
import {openLoadingCard} from '#app/overlays/loading-card.ts';
import type {Message} from '#state/model/message.ts';
import {editHistoryLines} from './edit-history-card.ts';

/** What a message said before, and where it was. */
export function openEditHistory(app: App, {id}: Pick<Message, 'id'>): void {
  openLoadingCard(app, {
    id: 'history',
    title: () => 'History of the message',
    columns: 90,
    hint: 'Esc closes',
    ask: app.session.fetchEditHistory(id),
    lines: editHistoryLines,
  });
}
