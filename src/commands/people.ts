import {currentConversation} from '#ui/actions/action-target.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {focusedList} from '#ui/lists/focused-list.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';
import {openPersonFinder} from '#ui/people/find-person.ts';
import {openOwnProfileForm} from '#ui/people/own-profile-form.ts';
import {openStatusPicker} from '#ui/people/status-picker.ts';
import {openUserCard} from '#ui/people/user-card.ts';
import type {Command} from './command.ts';

/** Returns the user of the selected row, the sender of the selected message, or the other user of a direct conversation. */
export function selectedUserId(app: AppReader): number | undefined {
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
    hint: 'profile',
    hints: {'inbox people': 2},
    messageMenu: {group: 'about', position: 1},
    disabledReason: (app) => (selectedUserId(app) === undefined ? 'No person is selected' : undefined),
    run: (app) => {
      const userId = selectedUserId(app);
      if (userId !== undefined) openUserCard(app, userId);
    },
  },
  {
    id: 'user.find',
    title: 'Find a person by name or email',
    aliases: ['find user', 'email address', 'e-mail', 'look up', 'search people', 'deactivated people'],
    contexts: ['nav'],
    opensTextField: true,
    run: (app) => openPersonFinder(app),
  },
  {
    id: 'user.self',
    title: 'View my profile',
    aliases: ['my card', 'about me', 'who am I'],
    contexts: ['nav'],
    run: (app) => openUserCard(app, app.state.self.userId),
  },
  {
    id: 'profile.edit',
    title: 'Edit my profile',
    aliases: ['my name', 'change name', 'picture', 'avatar', 'photo', 'time zone', 'pronouns', 'profile fields'],
    contexts: ['nav'],
    opensTextField: true,
    run: openOwnProfileForm,
  },
  {
    id: 'status.set',
    title: 'Set status or go invisible',
    aliases: ['status', 'away', 'busy', 'invisible', 'presence'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: changeProblem,
    run: (app) => openStatusPicker(app),
  },
];
