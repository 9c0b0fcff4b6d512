import type {App} from '#app/core/app.ts';
import {choosePicture} from '#app/files/file-picker.ts';
import {openForm, valuesBefore} from '#app/forms/open-form.ts';
import {failureReason, requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import {performAllUndoable} from '#app/undo/perform-undoable.ts';
import {
  createUser,
  type DeactivationAction,
  deactivateOwnUser,
  deactivateUser,
  deactivationActions,
  reactivateUser,
  removeOwnPicture,
  setOwnPicture,
  type UserChange,
  updateUser,
} from '#state/actions/accounts.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import type {User} from '#state/model/user.ts';
import {distinctUserName, unknownUserName} from '#state/selectors/names/names.ts';
import {
  canChangeEmailOf,
  canChangeOwnName,
  canChangeOwnPicture,
  canChangeUser,
  canDeactivateUser,
  canFillProfileField,
  canGiveRole,
  canReactivateUser,
} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, refusalReason, selfUser} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {once} from '#std/once.ts';
import {
  type FormAction,
  type FormChoice,
  type FormField,
  type FormValues,
  formAction,
  formField,
} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {emailProblem, nameProblem} from '#ui/people/person-rules.ts';
import {
  emailText,
  profileFormFields,
  profileInputs,
  profileKey,
  profileValues,
  roleChoices,
  roleName,
  storedProfileValue,
} from '#ui/people/user-details.ts';
import {isRefusal} from '#wire/failure.ts';
import {roles} from '#wire/objects/user.ts';
import {featureProblem} from '#wire/server-features.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {openStatusPicker} from './status-picker.ts';

type PersonValues = FormValues & {
  readonly fullName: string;
  readonly role: number;
  readonly email: string;
};

/** Opens the form for the account of another person. With `email`, the server finds the account by that address. */
export function openPersonForm(app: App, userId: number, email?: string): void {
  const userIn = ({account}: Frame) => account.users.get(userId);
  openForm<PersonValues>(app, {
    id: `person ${userId}`,
    title: composed`Account of ${distinctUserName(app.state, userId)}`,
    initial: (frame) => {
      const user = userIn(frame);
      return {
        fullName: user?.fullName ?? unknownUserName,
        role: user?.role ?? roles.member,
        email: user === undefined ? '' : emailText(user),
        ...profileValues(frame.account, user),
      };
    },
    fields: (frame) => {
      const user = userIn(frame);
      return user === undefined ? [] : personFields(frame, user);
    },
    errorField,
    save: async (from, changes, {fullName: name}, before) => {
      const {context} = from.session;
      await updateUser(context, email ?? userId, changeOf(from.state, changes));
      const restored = changeOf(from.state, valuesBefore(changes, before));
      return undoOffer(from, {
        label: composed`Changed the account of ${name}`,
        // The address may have changed, so undoing finds the account by its id.
        undo: () => updateUser(context, userId, restored),
        undoingText: composed`Restoring the account of ${name}…`,
        undoneText: composed`Restored the account of ${name}`,
        failureText: composed`The account of ${name} was not restored`,
      });
    },
    actions: (frame) => {
      const user = userIn(frame);
      return user === undefined ? [] : personActions(frame, user);
    },
  });
}

function changeOf(account: AccountState, changes: Partial<PersonValues>): UserChange {
  const {fullName, role, email} = changes;
  const profile = profileInputs(account, changes);
  return {
    ...(fullName !== undefined && {full_name: fullName}),
    ...(role !== undefined && {role}),
    ...(email !== undefined && email !== '' && {new_email: email}),
    ...(profile.length > 0 && {profile_data: [...profile]}),
  };
}

function personFields({account}: Frame, user: User): readonly FormField[] {
  const disabled = refusalReason(canChangeUser(account, user.id));
  const email =
    refusalReason(canChangeEmailOf(account, user.id)) ?? featureProblem(account.server.level, 'changeUserEmail');
  const choices = roleChoices().map(([value, label]) => {
    return {value, label, disabled: refusalReason(canGiveRole(account, user, value))};
  });
  const fixed = choices.find(({value}) => value !== user.role)?.disabled;
  const isFixed = choices.every(({value, disabled: why}) => value === user.role || why !== undefined);
  return [
    formField('text', 'fullName', 'Name', {isRequired: true, validate: nameProblem, disabled}),
    formField('choice', 'role', 'Role', {choices, disabled: disabled ?? (isFixed ? fixed : undefined)}),
    formField('text', 'email', 'Email', {
      placeholder: 'hidden from you',
      help: 'The server may let only some owners change addresses.',
      validate: emailProblem,
      disabled: email,
    }),
    ...profileFormFields(account, () => disabled),
  ];
}

/** Finds the field of a refusal by the words of its reason: the server names none. */
function errorField(error: unknown): string | undefined {
  const reason = failureReason(error) ?? '';
  if (/e-?mail|address|domain/i.test(reason)) return 'email';
  if (/owner|guest/i.test(reason)) return 'role';
  return /\bnames?\b/i.test(reason) ? 'fullName' : undefined;
}

function personActions({account, minute}: Frame, user: User): readonly FormAction[] {
  const name = distinctUserName(account, user.id);
  const status: FormAction = formAction('status', 'Set their status…', {
    disabled: refusalReason(canChangeUser(account, user.id)) ?? featureProblem(account.server.level, 'setUserStatus'),
    run: (app) => openStatusPicker(app, user.id),
  });
  if (!user.isActive) {
    const disabled = refusalReason(canReactivateUser(account, user.id, minute));
    return [
      formAction('reactivate', 'Reactivate the account…', {
        disabled,
        confirm: {
          title: composed`Reactivate ${name}?`,
          yes: composed`Reactivate ${name}`,
          detail: 'with their channels and groups',
        },
        run: (app) => reactivate(app, user.id),
      }),
    ];
  }
  return [
    status,
    formAction('deactivate', 'Deactivate the account…', {
      disabled: refusalReason(canDeactivateUser(account, user.id)),
      run: (app) => openDeactivationForm(app, user.id),
    }),
  ];
}

type OwnProfileValues = FormValues & {
  readonly fullName: string;
  readonly role: number;
  readonly email: string;
  readonly timezone: string;
};

/** Opens the form for the user's own profile. Its changes can be undone as one. */
export function openOwnProfileForm(app: App): void {
  openForm<OwnProfileValues>(app, {
    id: 'own profile',
    title: 'My profile',
    initial: ({account}) => {
      const user = selfUser(account);
      return {
        fullName: user?.fullName ?? '',
        role: user?.role ?? roles.member,
        email: user === undefined ? '' : emailText(user),
        timezone: user?.timezone ?? '',
        ...profileValues(account, user),
      };
    },
    fields: ownFields,
    // The changes are shown at once and sent when possible; a refusal is reported like that of any change.
    save: async (from, changes) => {
      performAllUndoable(from, actionsOf(from.state, changes), 'Changed your profile');
      return undefined;
    },
    actions: ownActions,
  });
}

function actionsOf(account: AccountState, changes: Partial<OwnProfileValues>): readonly ReversibleAction[] {
  const {fullName, timezone} = changes;
  return [
    ...(fullName === undefined ? [] : [{kind: 'fullName', fullName} as const]),
    ...(timezone === undefined ? [] : [{kind: 'setting', name: 'timezone', value: timezone} as const]),
    ...account.profileFields.flatMap((field) => {
      const value = changes[profileKey(field)];
      return value === undefined
        ? []
        : [{kind: 'profileField', fieldId: field.id, value: storedProfileValue(value)} as const];
    }),
  ];
}

function ownFields({account}: Frame, {role, timezone}: OwnProfileValues): readonly FormField[] {
  return [
    formField('text', 'fullName', 'Name', {
      isRequired: true,
      validate: nameProblem,
      disabled: refusalReason(canChangeOwnName(account)),
    }),
    formField('choice', 'role', 'Role', {
      choices: [{value: role, label: roleName(role)}],
      disabled: isAdministrator(account) ? 'The last rows lead to your role.' : 'Only administrators can change roles.',
    }),
    formField('text', 'email', 'Email', {disabled: 'The account settings change the address.'}),
    formField('choice', 'timezone', 'Time zone', {choices: zoneChoices(timezone), help: 'Type to find a city.'}),
    ...profileFormFields(account, (field) => refusalReason(canFillProfileField(account, field))),
  ];
}

const zones = once((): readonly FormChoice[] => [
  {value: '', label: 'not set'},
  ...[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({value, label: value})),
]);

/** Returns all time zones, and the present one if this machine does not know it. */
function zoneChoices(current: string): readonly FormChoice[] {
  const isKnown = zones().some(({value}) => value === current);
  return isKnown ? zones() : [...zones(), {value: current, label: current}];
}

function ownActions({account}: Frame): readonly FormAction[] {
  const picture = refusalReason(canChangeOwnPicture(account));
  return [
    formAction('status', 'Set status or go invisible…', {run: (app) => openStatusPicker(app)}),
    formAction('picture', 'Change the picture…', {
      disabled: picture,
      run: (app) =>
        choosePicture(app, {title: 'My picture', send: (from, file) => setOwnPicture(from.session.context, file)}),
    }),
    formAction('no-picture', 'Remove the picture…', {
      disabled: picture,
      confirm: {title: 'Remove your picture?', yes: 'Remove it', detail: 'the server shows a generated one'},
      run: removePicture,
    }),
    ...(isAdministrator(account)
      ? [
          formAction('account', 'Change my role or address…', {
            run: (app: App) => openPersonForm(app, account.self.userId),
          }),
        ]
      : []),
    formAction('deactivate', 'Deactivate my account…', {
      disabled: refusalReason(canDeactivateUser(account, account.self.userId)),
      confirm: {
        title: 'Deactivate your account?',
        yes: 'Deactivate my account',
        detail: 'only an administrator can bring it back',
      },
      run: deactivateOwnAccount,
    }),
  ];
}

function removePicture(app: App): void {
  requestFromServer(app, {
    send: () => removeOwnPicture(app.session.context),
    doneText: () => 'Removed your picture',
    failureText: 'The picture was not removed',
  });
}

function deactivateOwnAccount(app: App): void {
  requestFromServer(app, {
    progressText: 'Deactivating your account…',
    send: () => deactivateOwnUser(app.session.context),
    doneText: () => 'Your account is deactivated',
    failureText: 'Your account is still active',
  });
}

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
    title: composed`Deactivate ${name}?`,
    isNew: true,
    saveLabel: composed`Deactivate ${name}`,
    disabledReason: ({account}) => refusalReason(canDeactivateUser(account, userId)),
    initial: () => nothing,
    fields: (frame, values) => deactivationFields(frame, userId, values),
    save: async (from, _changes, values) => {
      const actions = deactivationActions.filter((one) => values[one]);
      const comment = values.notifies ? values.comment : undefined;
      await deactivateUser(from.session.context, userId, {comment, actions});
      if (actions.length > 0) return composed`Deactivated ${name}`;
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
    progressText: composed`Reactivating ${name}…`,
    send: () => reactivateUser(app.session.context, userId),
    doneText: () => composed`Reactivated ${name}`,
    failureText: composed`${name} was not reactivated`,
  });
}

/** Makes the deactivation of a person or a bot undoable. */
function deactivatedToast(app: App, userId: number): ToastMessage {
  const name = distinctUserName(app.state, userId);
  return undoOffer(app, {
    label: composed`Deactivated ${name}`,
    undo: () => reactivateUser(app.session.context, userId),
    undoingText: composed`Reactivating ${name}…`,
    undoneText: composed`Reactivated ${name}`,
    failureText: composed`${name} was not reactivated`,
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
      if (/password/i.test(reason)) return 'password';
      if (/e-?mail|address|domain/i.test(reason)) return 'email';
      return undefined;
    },
    save: async (from, _changes, {email, password, fullName}) => {
      await createUser(from.session.context, {email, password, full_name: fullName});
      return composed`Created the account of ${fullName}`;
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
