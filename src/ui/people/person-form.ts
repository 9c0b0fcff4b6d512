import {type UserChange, updateUser, updateUserByEmail} from '#state/actions/people.ts';
import type {User} from '#state/model/user.ts';
import {distinctUserName, unknownUserName} from '#state/selectors/names/names.ts';
import {
  canChangeEmailOf,
  canChangeUser,
  canDeactivateUser,
  canGiveRole,
  canReactivateUser,
} from '#state/selectors/permissions/people-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {failureReason, requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormAction, FormField, FormValues} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {withUndoKey} from '#ui/core/toast-message.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {roles} from '#wire/objects/user.ts';
import {featureProblem} from '#wire/server-features.ts';
import {openDeactivationForm, reactivate} from './deactivation-form.ts';
import {emailProblem, nameProblem} from './person-rules.ts';
import {profileFormFields, profileInputs, profileValues} from './profile-inputs.ts';
import {openStatusPicker} from './status-picker.ts';
import {emailText, roleChoices} from './user-details.ts';

type PersonValues = FormValues & {
  readonly fullName: string;
  readonly role: number;
  readonly email: string;
};

/** Opens the form for the account of another person. With `email`, the server finds the account by that address. */
export function openPersonForm(app: App, userId: number, email?: string): void {
  const userIn = ({account}: Frame) => account.users.get(userId);
  const initial = (frame: Frame): PersonValues => {
    const user = userIn(frame);
    return {
      fullName: user?.fullName ?? unknownUserName,
      role: user?.role ?? roles.member,
      email: user === undefined ? '' : emailText(user),
      ...profileValues(frame.account, user),
    };
  };
  const form: Form<PersonValues> = {
    id: `person ${userId}`,
    title: `Account of ${distinctUserName(app.state, userId)}`,
    initial,
    fields: (frame) => {
      const user = userIn(frame);
      return user === undefined ? [] : personFields(frame, user);
    },
    errorField,
    save: async (from, changes, values) => {
      const before = initial(from.frame);
      const send = (change: UserChange) =>
        email === undefined
          ? updateUser(from.session.context, userId, change)
          : updateUserByEmail(from.session.context, email, change);
      await send(changeOf(from.state, changes));
      const restored = Object.fromEntries(Object.keys(changes).map((key) => [key, before[key]]));
      // The address may have changed, so undoing finds the account by its id.
      pushUndo(from, userId, values.fullName, changeOf(from.state, restored));
      return withUndoKey(`Changed the account of ${values.fullName}`);
    },
    actions: (frame) => {
      const user = userIn(frame);
      return user === undefined ? [] : personActions(frame, user);
    },
  };
  openForm(app, form);
}

function pushUndo(app: App, userId: number, name: string, change: UserChange): void {
  app.undoStack.push({
    label: `Changed the account of ${name}`,
    undo: () => {
      requestFromServer(app, {
        send: () => updateUser(app.session.context, userId, change),
        doneText: () => `Restored the account of ${name}`,
        failureText: `The account of ${name} was not restored`,
      });
      return `Restoring the account of ${name}…`;
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
    {kind: 'text', key: 'fullName', label: 'Name', isRequired: true, validate: nameProblem, disabled},
    {kind: 'choice', key: 'role', label: 'Role', choices, disabled: disabled ?? (isFixed ? fixed : undefined)},
    {
      kind: 'text',
      key: 'email',
      label: 'Email',
      placeholder: 'hidden from you',
      help: 'The server may let only some owners change addresses.',
      validate: emailProblem,
      disabled: email,
    },
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
  const status: FormAction = {
    id: 'status',
    label: 'Set their status…',
    disabled: refusalReason(canChangeUser(account, user.id)) ?? featureProblem(account.server.level, 'setUserStatus'),
    run: (app) => openStatusPicker(app, user.id),
  };
  if (!user.isActive) {
    const disabled = refusalReason(canReactivateUser(account, user.id, minute));
    return [
      {
        id: 'reactivate',
        label: 'Reactivate the account…',
        disabled,
        confirm: {title: `Reactivate ${name}?`, yes: `Reactivate ${name}`, detail: 'with their channels and groups'},
        run: (app) => reactivate(app, user.id),
      },
    ];
  }
  return [
    status,
    {
      id: 'deactivate',
      label: 'Deactivate the account…',
      disabled: refusalReason(canDeactivateUser(account, user.id)),
      run: (app) => openDeactivationForm(app, user.id),
    },
  ];
}
