import type {App} from '#app/core/app.ts';
import {openLoadingCard} from '#app/overlays/loading-card.ts';
import type {Message} from '#state/model/message.ts';
import {editHistoryLines} from './edit-history-card.ts';

/** Opens a card with the message's edits and moves. */
export function openEditHistory(app: App, {id}: Pick<Message, 'id'>): void {
  openLoadingCard(app, {
    id: 'history',
    title: () => 'Edit history',
    columns: 90,
    hint: 'Esc closes',
    ask: app.session.fetchEditHistory(id),
    lines: editHistoryLines,
  });
}
