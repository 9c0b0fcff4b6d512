import {isRefusal} from '#api/failure.ts';
import {type DeactivationAction, deactivationActions} from '#state/actions/administration.ts';
import {distinctUserName} from '#state/selectors/names/names.ts';
import {canDeactivateUser} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, refusalReason} from '#state/selectors/permissions/permission.ts';
import {failureReason, requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {type FormField, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {featureProblem} from '#wire/server-features.ts';
import {emailProblem, nameProblem} from './person-rules.ts';

type DeactivationValues = {readonly notifies: boolean; readonly comment: string} & Readonly<
  Record<DeactivationAction, boolean>
>;

const nothing: DeactivationValues = {
  notifies: false,
  comment: '',
  delete_profile: false,
  delete_public_channel_messages: false,
  delete_private_channel_messages: false,
  delete_direct_messages: false,
};

const actionLabels: Readonly<Record<DeactivationAction, string>> = {
  delete_profile: 'Their name and profile',
  delete_public_channel_messages: 'Messages in public channels',
  delete_private_channel_messages: 'Messages in private channels',
  delete_direct_messages: 'Direct messages',
};

/** Opens the form that deactivates the account of a person, with what happens to their data. */
export function openDeactivationForm(app: App, userId: number): void {
  const name = distinctUserName(app.state, userId);
  openForm<DeactivationValues>(app, {
    id: `deactivate ${userId}`,
    title: `Deactivate ${name}?`,
    isNew: true,
    saveLabel: `Deactivate ${name}`,
    disabledReason: ({account}) => refusalReason(canDeactivateUser(account, userId)),
    initial: () => nothing,
    fields: (frame, values) => deactivationFields(frame, userId, values),
    save: async (from, _changes, values) => {
      const actions = deactivationActions.filter((one) => values[one]);
      await from.session.context.api.deactivateUser({
        user_id: userId,
        ...(values.notifies && {deactivation_notification_comment: values.comment}),
        ...(actions.length > 0 && {actions: Object.fromEntries(actions.map((name) => [name, true]))}),
      });
      if (actions.length > 0) return `Deactivated ${name}`;
      return deactivatedToast(from, userId);
    },
  });
}

function deactivationFields({account}: Frame, userId: number, {notifies}: DeactivationValues): readonly FormField[] {
  const isTheirs = (id: number) => {
    const bot = account.users.get(id);
    return bot?.botOwnerId === userId && bot.isActive;
  };
  const bots = [...account.bots.keys()].filter(isTheirs).length;
  const tooOld = featureProblem(account.server.level, 'deactivationActions');
  return [
    {
      kind: 'section',
      label: 'They are logged out everywhere',
      detail: bots === 0 ? 'their messages stay' : `messages stay; also ends ${countedNoun(bots, 'bot')}`,
    },
    formField('switch', 'notifies', 'Send them an email'),
    ...(notifies ? [formField('text', 'comment', 'Comment', {isMultiline: true}) satisfies FormField] : []),
    {kind: 'section', label: 'Delete for good'},
    ...deactivationActions.map((key): FormField => {
      return formField('switch', key, actionLabels[key], {disabled: tooOld, help: 'Undo does not bring this back.'});
    }),
  ];
}

/** Reactivates a person or a bot. */
export function reactivate(app: App, userId: number): void {
  const name = distinctUserName(app.state, userId);
  requestFromServer(app, {
    progressText: `Reactivating ${name}…`,
    send: () => app.session.context.api.reactivateUser({user_id: userId}),
    doneText: () => `Reactivated ${name}`,
    failureText: `${name} was not reactivated`,
  });
}

/** Makes the deactivation of a person or a bot undoable. */
export function deactivatedToast(app: App, userId: number): ToastMessage {
  const name = distinctUserName(app.state, userId);
  return undoOffer(app, {
    label: `Deactivated ${name}`,
    undo: () => app.session.context.api.reactivateUser({user_id: userId}),
    undoingText: `Reactivating ${name}…`,
    undoneText: `Reactivated ${name}`,
    failureText: `${name} was not reactivated`,
  });
}

type NewUserValues = {readonly email: string; readonly fullName: string; readonly password: string};

/** Opens the form that creates an account for somebody. Servers let only some administrators do that. */
export function openCreateUserForm(app: App): void {
  openForm<NewUserValues>(app, {
    id: 'new user',
    title: 'New account',
    isNew: true,
    saveLabel: 'Create the account',
    initial: () => ({email: '', fullName: '', password: ''}),
    disabledReason: ({account}) => (isAdministrator(account) ? undefined : 'Only administrators can create accounts.'),
    fields: newUserFields,
    errorField: (error) => {
      if (!isRefusal(error)) return undefined;
      const reason = failureReason(error) ?? '';
      return /password/i.test(reason) ? 'password' : /e-?mail|address|domain/i.test(reason) ? 'email' : undefined;
    },
    save: async (from, _changes, values) => {
      const {email, password, fullName} = values;
      await from.session.context.api.createUser({email, password, full_name: fullName});
      return `Created the account of ${fullName}`;
    },
  });
}

function newUserFields({account}: Frame): readonly FormField[] {
  const min = account.server.passwordMinLength ?? 0;
  return [
    formField('text', 'email', 'Email', {
      isRequired: true,
      placeholder: 'ann@example.com',
      help: 'To let people choose a password themselves, invite them.',
      validate: emailProblem,
    }),
    formField('text', 'fullName', 'Name', {isRequired: true, validate: nameProblem}),
    formField('text', 'password', 'Password', {
      isSecret: true,
      isRequired: true,
      maxLength: account.server.passwordMaxLength,
      validate: (text) => (text.length < min ? `At least ${min} characters` : undefined),
    }),
  ];
}
