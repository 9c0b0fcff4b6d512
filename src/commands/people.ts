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
import {currentConversation} from '#ui/actions/action-target.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import type {App, AppReader} from '#ui/core/app.ts';
import {openNewGroupForm} from '#ui/groups/group-form.ts';
import {openGroupList} from '#ui/groups/group-list.ts';
import {focusedList} from '#ui/lists/list-source.ts';
import {cursorRow} from '#ui/lists/visible-rows.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';
import {openCreateUserForm, openDeactivationForm, reactivate} from '#ui/people/account-forms.ts';
import {openBotList, openNewBotForm} from '#ui/people/bot-form.ts';
import {openPersonFinder} from '#ui/people/find-person.ts';
import {openInvitationList} from '#ui/people/invitation-list.ts';
import {openInviteForm} from '#ui/people/invite-form.ts';
import {openOwnProfileForm} from '#ui/people/person-form.ts';
import {openStatusPicker} from '#ui/people/status-picker.ts';
import {openAccountForm, openUserCard} from '#ui/people/user-card.ts';
import {type Command, command} from './command.ts';

/** Returns the user of the selected row, the sender of the selected message, or the other user of a direct conversation. */
function selectedUserId(app: AppReader): number | undefined {
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

/** Returns a command that runs on the selected person. */
function withPerson(run: (app: App, userId: number) => void): Command['run'] {
  return (app) => {
    const userId = selectedUserId(app);
    if (userId !== undefined) run(app, userId);
  };
}

function isActive({state}: AppReader, userId: number): boolean {
  return state.users.get(userId)?.isActive === true;
}

const guestsOnlyRead = 'Guests cannot use this.';

export const administerPeopleCommands: readonly Command[] = [
  {
    id: 'user.edit',
    title: 'Edit the account of this person',
    aliases: ['change role', 'rename person', 'make administrator', 'make owner', 'make moderator', 'manage user'],
    contexts: ['msgs', 'list'],
    disabledReason: (app) =>
      personProblem(app, ({state}, userId) =>
        userId === state.self.userId ? {ok: true} : canChangeUser(state, userId),
      ),
    run: withPerson((app, userId) => {
      const user = app.state.users.get(userId);
      if (user !== undefined) openAccountForm(app, user);
    }),
  },
  {
    id: 'user.deactivate',
    title: 'Deactivate or reactivate this person',
    aliases: ['remove user', 'delete user', 'disable account', 'reactivate user'],
    contexts: ['msgs', 'list'],
    disabledReason: (app) =>
      changeProblem(app) ??
      personProblem(app, (from, userId) =>
        isActive(from, userId)
          ? canDeactivateUser(from.state, userId)
          : canReactivateUser(from.state, userId, from.clock.now()),
      ),
    run: withPerson((app, userId) => {
      const user = app.state.users.get(userId);
      if (user === undefined) return;
      if (!user.isActive) reactivate(app, userId);
      else if (user.isBot || userId === app.state.self.userId) openAccountForm(app, user);
      else openDeactivationForm(app, userId);
    }),
  },
  command('user.create', 'Create an account for somebody', openCreateUserForm, {
    aliases: ['new user', 'add user', 'create user'],
    opensTextField: true,
    disabledReason: (app) =>
      changeProblem(app) ?? (isAdministrator(app.state) ? undefined : 'Only administrators can create accounts.'),
  }),
  command('invite.new', 'Invite people by email', (app) => openInviteForm(app, 'email'), {
    aliases: ['new invitation', 'invite users', 'add people', 'send invitation'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canInvite(app.state, app.clock.now())),
  }),
  command('invite.link', 'Create an invitation link', (app) => openInviteForm(app, 'link'), {
    aliases: ['join link', 'invite link', 'share link'],
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canCreateInviteLink(app.state, app.clock.now())),
  }),
  command('invite.list', 'Invitations', openInvitationList, {
    aliases: ['pending invitations', 'resend invitation', 'revoke invitation', 'invitation links'],
    disabledReason: ({state}) => (isGuest(state) ? guestsOnlyRead : undefined),
  }),
  command('bot.list', 'My bots', openBotList, {
    aliases: ['bots', 'api key', 'webhooks', 'integrations'],
    disabledReason: ({state}) => (isGuest(state) ? guestsOnlyRead : undefined),
  }),
  command('bot.new', 'Create a bot', openNewBotForm, {
    aliases: ['new bot', 'add bot', 'webhook'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canCreateBot(app.state, app.clock.now())),
  }),
];

export const groupCommands: readonly Command[] = [
  command('group.list', 'User groups', openGroupList, {
    aliases: ['groups', 'group members', 'join group', 'leave group', 'teams', 'edit group', 'group permissions'],
    opensTextField: true,
  }),
  command('group.new', 'Create a user group', openNewGroupForm, {
    aliases: ['new group', 'add group', 'create group'],
    opensTextField: true,
    disabledReason: (app) => {
      const permission = canCreateGroup(app.state, app.clock.now());
      return permission.ok ? changeProblem(app) : permission.reason;
    },
  }),
];
