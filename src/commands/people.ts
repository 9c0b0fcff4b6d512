import type {App} from '#app/core/app.ts';
import {groups} from '#app/groups/group-list.ts';
import {bots} from '#app/people/bot-form.ts';
import {invitations} from '#app/people/invite-form.ts';
import {openCreateUserForm, openDeactivationForm, openOwnProfileForm, reactivate} from '#app/people/person-form.ts';
import {openStatusPicker} from '#app/people/status-picker.ts';
import {openAccountForm, openPersonFinder, openUserCard} from '#app/people/user-card.ts';
import {currentConversation} from '#app/targets/action-target.ts';
import type {User} from '#state/model/user.ts';
import {
  canChangeUser,
  canCreateBot,
  canCreateGroup,
  canCreateInviteLink,
  canDeactivateUser,
  canInvite,
  canReactivateUser,
} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, isGuest, type Permission, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {changeProblem} from '#ui/core/change-problem.ts';
import {focusedRow} from '#ui/list-table.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {type Command, command} from './command.ts';

/** Returns the user of the selected row, the sender of the selected message, or the other user of a direct conversation. */
function selectedUserId(app: AppReader): number | undefined {
  const {list, row} = focusedRow(app.frame);
  const target = row?.target;
  if (target?.kind === 'person') return target.userId;
  const conversation = target?.kind === 'conversation' ? target.conversation : currentConversation(app);
  const message = list === undefined ? selectedMessage(app) : undefined;
  if (message !== undefined) return message.senderId;
  return conversation?.kind === 'direct' ? (conversation.userIds[0] ?? app.state.self.userId) : undefined;
}

/** Returns a command that runs on the selected person. */
function withPerson(run: (app: App, userId: number) => void): Command['run'] {
  return (app) => {
    const userId = selectedUserId(app);
    if (userId !== undefined) run(app, userId);
  };
}

export const peopleCommands: readonly Command[] = [
  command('user.card', 'View profile', withPerson(openUserCard), {
    aliases: ['profile', 'user card', 'who is this'],
    contexts: ['msgs', 'list'],
    hint: 'profile',
    hints: {'inbox people': 2},
    messageMenu: {group: 'about', position: 1},
    disabledReason: (app) => (selectedUserId(app) === undefined ? 'No person is selected' : undefined),
  }),
  command('user.find', 'Find a person by name or email', (app) => openPersonFinder(app), {
    aliases: ['find user', 'email address', 'e-mail', 'look up', 'search people', 'deactivated people'],
    opensTextField: true,
  }),
  command('user.self', 'View my profile', (app) => openUserCard(app, app.state.self.userId), {
    aliases: ['my card', 'about me', 'who am I'],
  }),
  command('profile.edit', 'Edit my profile', openOwnProfileForm, {
    aliases: ['my name', 'change name', 'picture', 'avatar', 'photo', 'time zone', 'pronouns', 'profile fields'],
    opensTextField: true,
  }),
  command('status.set', 'Set status or go invisible', (app) => openStatusPicker(app), {
    aliases: ['status', 'away', 'busy', 'invisible', 'presence'],
    opensTextField: true,
    disabledReason: changeProblem,
  }),
];

/** Returns why a command for the selected person cannot run. */
function personProblem(app: AppReader, isAllowed: (app: AppReader, userId: number) => Permission): string | undefined {
  const userId = selectedUserId(app);
  return userId === undefined ? 'No person is selected' : refusalReason(isAllowed(app, userId));
}

function withUser(run: (app: App, user: User) => void): Command['run'] {
  return withPerson((app, userId) => {
    const user = app.state.users.get(userId);
    if (user !== undefined) run(app, user);
  });
}

function deactivateOrReactivate(app: App, user: User): void {
  if (!user.isActive) reactivate(app, user.id);
  else if (user.isBot || user.id === app.state.self.userId) openAccountForm(app, user);
  else openDeactivationForm(app, user.id);
}

const guestsOnlyRead = 'Guests cannot use this.';

export const administerPeopleCommands: readonly Command[] = [
  command('user.edit', 'Edit the account of this person', withUser(openAccountForm), {
    aliases: ['change role', 'rename person', 'make administrator', 'make owner', 'make moderator', 'manage user'],
    contexts: ['msgs', 'list'],
    disabledReason: (app) =>
      personProblem(app, ({state}, userId) =>
        userId === state.self.userId ? {ok: true} : canChangeUser(state, userId),
      ),
  }),
  command('user.deactivate', 'Deactivate or reactivate this person', withUser(deactivateOrReactivate), {
    aliases: ['remove user', 'delete user', 'disable account', 'reactivate user'],
    contexts: ['msgs', 'list'],
    disabledReason: (app) =>
      changeProblem(app) ??
      personProblem(app, (from, userId) =>
        from.state.users.get(userId)?.isActive === true
          ? canDeactivateUser(from.state, userId)
          : canReactivateUser(from.state, userId, from.clock.now()),
      ),
  }),
  command('user.create', 'Create an account for somebody', openCreateUserForm, {
    aliases: ['new user', 'add user', 'create user'],
    opensTextField: true,
    disabledReason: (app) =>
      changeProblem(app) ?? (isAdministrator(app.state) ? undefined : 'Only administrators can create accounts.'),
  }),
  command('invite.new', 'Invite people by email', (app) => invitations.openForm(app, undefined, {kind: 'email'}), {
    aliases: ['new invitation', 'invite users', 'add people', 'send invitation'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canInvite(app.state, app.clock.now())),
  }),
  command('invite.link', 'Create an invitation link', (app) => invitations.openForm(app, undefined, {kind: 'link'}), {
    aliases: ['join link', 'invite link', 'share link'],
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canCreateInviteLink(app.state, app.clock.now())),
  }),
  command('invite.list', 'Invitations', invitations.open, {
    aliases: ['pending invitations', 'resend invitation', 'revoke invitation', 'invitation links'],
    disabledReason: ({state}) => (isGuest(state) ? guestsOnlyRead : undefined),
  }),
  command('bot.list', 'My bots', bots.open, {
    aliases: ['bots', 'api key', 'webhooks', 'integrations'],
    disabledReason: ({state}) => (isGuest(state) ? guestsOnlyRead : undefined),
  }),
  command('bot.new', 'Create a bot', bots.openNew, {
    aliases: ['new bot', 'add bot', 'webhook'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canCreateBot(app.state, app.clock.now())),
  }),
];

export const groupCommands: readonly Command[] = [
  command('group.list', 'User groups', groups.open, {
    aliases: ['groups', 'group members', 'join group', 'leave group', 'teams', 'edit group', 'group permissions'],
    opensTextField: true,
  }),
  command('group.new', 'Create a user group', groups.openNew, {
    aliases: ['new group', 'add group', 'create group'],
    opensTextField: true,
    disabledReason: (app) => refusalReason(canCreateGroup(app.state, app.clock.now())) ?? changeProblem(app),
  }),
];
