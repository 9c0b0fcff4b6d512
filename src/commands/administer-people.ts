import {
  canChangeUser,
  canCreateBot,
  canCreateInviteLink,
  canDeactivateUser,
  canInvite,
  canReactivateUser,
} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, isGuest, type Permission, refusalReason} from '#state/selectors/permissions/permission.ts';
import {changeProblem} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import {openBotList} from '#ui/people/bot-list.ts';
import {openCreateUserForm} from '#ui/people/create-user-form.ts';
import {openDeactivationForm} from '#ui/people/deactivation-form.ts';
import {openInvitationList} from '#ui/people/invitation-list.ts';
import {openInviteForm} from '#ui/people/invite-form.ts';
import {openNewBotForm} from '#ui/people/new-bot-form.ts';
import {reactivate} from '#ui/people/reactivate.ts';
import {openAccountForm} from '#ui/people/user-card.ts';
import type {Command} from './command.ts';
import {selectedUserId} from './people.ts';

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
  {
    id: 'user.create',
    title: 'Create an account for somebody',
    aliases: ['new user', 'add user', 'create user'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: (app) =>
      changeProblem(app) ?? (isAdministrator(app.state) ? undefined : 'Only administrators can create accounts.'),
    run: openCreateUserForm,
  },
  {
    id: 'invite.new',
    title: 'Invite people by email',
    aliases: ['new invitation', 'invite users', 'add people', 'send invitation'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canInvite(app.state, app.clock.now())),
    run: (app) => openInviteForm(app, 'email'),
  },
  {
    id: 'invite.link',
    title: 'Create an invitation link',
    aliases: ['join link', 'invite link', 'share link'],
    contexts: ['nav'],
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canCreateInviteLink(app.state, app.clock.now())),
    run: (app) => openInviteForm(app, 'link'),
  },
  {
    id: 'invite.list',
    title: 'Invitations',
    aliases: ['pending invitations', 'resend invitation', 'revoke invitation', 'invitation links'],
    contexts: ['nav'],
    disabledReason: ({state}) => (isGuest(state) ? guestsOnlyRead : undefined),
    run: openInvitationList,
  },
  {
    id: 'bot.list',
    title: 'My bots',
    aliases: ['bots', 'api key', 'webhooks', 'integrations'],
    contexts: ['nav'],
    disabledReason: ({state}) => (isGuest(state) ? guestsOnlyRead : undefined),
    run: openBotList,
  },
  {
    id: 'bot.new',
    title: 'Create a bot',
    aliases: ['new bot', 'add bot', 'webhook'],
    contexts: ['nav'],
    opensTextField: true,
    disabledReason: (app) => changeProblem(app) ?? refusalReason(canCreateBot(app.state, app.clock.now())),
    run: openNewBotForm,
  },
];
