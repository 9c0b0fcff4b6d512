import type {UserChange} from '#state/actions/administration.ts';
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
import {once} from '#std/once.ts';
import {failureReason, requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {
  type FormAction,
  type FormChoice,
  type FormField,
  type FormValues,
  formAction,
  formField,
} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openForm, valuesBefore} from '#ui/forms/open-form.ts';
import {performAllUndoable} from '#ui/undo/perform-undoable.ts';
import {roles} from '#wire/objects/user.ts';
import {featureProblem} from '#wire/server-features.ts';
import {openDeactivationForm, reactivate} from './account-forms.ts';
import {emailProblem, nameProblem} from './person-rules.ts';
import {choosePicture} from './picture.ts';
import {openStatusPicker} from './status-picker.ts';
import {
  emailText,
  profileFormFields,
  profileInputs,
  profileKey,
  profileValues,
  roleChoices,
  roleName,
  storedProfileValue,
} from './user-details.ts';

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
    title: `Account of ${distinctUserName(app.state, userId)}`,
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
      const send = (change: UserChange) =>
        email === undefined
          ? from.session.context.api.updateUser({user_id: userId, ...change})
          : from.session.context.api.updateUserByEmail({email, ...change});
      await send(changeOf(from.state, changes));
      const restored = changeOf(from.state, valuesBefore(changes, before));
      return undoOffer(from, {
        label: `Changed the account of ${name}`,
        // The address may have changed, so undoing finds the account by its id.
        undo: () => from.session.context.api.updateUser({user_id: userId, ...restored}),
        undoingText: `Restoring the account of ${name}…`,
        undoneText: `Restored the account of ${name}`,
        failureText: `The account of ${name} was not restored`,
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
        confirm: {title: `Reactivate ${name}?`, yes: `Reactivate ${name}`, detail: 'with their channels and groups'},
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
        choosePicture(app, {title: 'My picture', send: (from, file) => from.session.context.api.uploadAvatar({file})}),
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
    send: () => app.session.context.api.deleteAvatar(),
    doneText: () => 'Removed your picture',
    failureText: 'The picture was not removed',
  });
}

function deactivateOwnAccount(app: App): void {
  requestFromServer(app, {
    progressText: 'Deactivating your account…',
    send: () => app.session.context.api.deactivateOwnUser(),
    doneText: () => 'Your account is deactivated',
    failureText: 'Your account is still active',
  });
}
