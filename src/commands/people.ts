import {currentConversation} from '#app/actions/action-target.ts';
import {changeProblem} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import {focusedList} from '#app/lists/focused-list.ts';
import {cursorRow} from '#app/lists/visible-rows.ts';
import {openStatusPicker} from '#app/people/status-picker.ts';
import {openUserCard} from '#app/people/user-card.ts';
import {selectedMessage} from '#app/timeline/selection.ts';
import type {Command} from './command.ts';

/** Returns the user of the selected row, the sender of the selected message, or the other user of a direct conversation. */
function selectedUserId(app: App): number | undefined {
  const list = focusedList(app.screen);
  const target = list === undefined ? undefined : cursorRow(app.frame, list)?.target;
  if (target?.kind === 'person') return target.userId;
  const conversation = target?.kind === 'conversation' ? target.conversation : currentConversation(app);
  const message = list === undefined ? selectedMessage(app) : undefined;
  if (message !== undefined) return message.senderId;
  return conversation?.kind === 'direct' ? (conversation.userIds[0] ?? app.state.self.userId) : undefined;
}

export const peopleCommands: readonly Command[] = [
  {
    id: 'user.card',
    title: 'View profile',
    aliases: ['profile', 'user card', 'who is this'],
    contexts: ['msgs', 'list'],
    messageMenu: {group: 'about', position: 1},
    disabledReason: (app) => (selectedUserId(app) === undefined ? 'No person is selected' : undefined),
    run: (app) => {
      const userId = selectedUserId(app);
      if (userId !== undefined) openUserCard(app, userId);
    },
  },
  {
    id: 'status.set',
    title: 'Set status or go invisible',
    aliases: ['status', 'away', 'busy', 'invisible'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: changeProblem,
    run: openStatusPicker,
  },
];
