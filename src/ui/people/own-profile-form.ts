import {deactivateSelf, deleteAvatar, uploadAvatar} from '#state/actions/people.ts';
import type {ReversibleAction} from '#state/actions/reversible-actions.ts';
import {
  canChangeOwnName,
  canChangeOwnPicture,
  canDeactivateUser,
  canFillProfileField,
} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, refusalReason, selfUser} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {once} from '#std/once.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormAction, FormChoice, FormField, FormValues} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {performAllUndoable} from '#ui/undo/perform-undoable.ts';
import {roles} from '#wire/objects/user.ts';
import {openPersonForm} from './person-form.ts';
import {nameProblem} from './person-rules.ts';
import {choosePicture} from './picture.ts';
import {profileFormFields, profileKey, profileValues, storedProfileValue} from './profile-inputs.ts';
import {openStatusPicker} from './status-picker.ts';
import {emailText, roleName} from './user-details.ts';

type OwnProfileValues = FormValues & {
  readonly fullName: string;
  readonly role: number;
  readonly email: string;
  readonly timezone: string;
};

/** Opens the form for the user's own profile. Its changes can be undone as one. */
export function openOwnProfileForm(app: App): void {
  const form: Form<OwnProfileValues> = {
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
  };
  openForm(app, form);
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
    {
      kind: 'text',
      key: 'fullName',
      label: 'Name',
      isRequired: true,
      validate: nameProblem,
      disabled: refusalReason(canChangeOwnName(account)),
    },
    {
      kind: 'choice',
      key: 'role',
      label: 'Role',
      choices: [{value: role, label: roleName(role)}],
      disabled: isAdministrator(account) ? 'The last rows lead to your role.' : 'Only administrators can change roles.',
    },
    {kind: 'text', key: 'email', label: 'Email', disabled: 'The account settings change the address.'},
    {kind: 'choice', key: 'timezone', label: 'Time zone', choices: zoneChoices(timezone), help: 'Type to find a city.'},
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
    {id: 'status', label: 'Set status or go invisible…', run: (app) => openStatusPicker(app)},
    {
      id: 'picture',
      label: 'Change the picture…',
      disabled: picture,
      run: (app) =>
        choosePicture(app, {title: 'My picture', send: (from, file) => uploadAvatar(from.session.context, file)}),
    },
    {
      id: 'no-picture',
      label: 'Remove the picture…',
      disabled: picture,
      confirm: {title: 'Remove your picture?', yes: 'Remove it', detail: 'the server shows a generated one'},
      run: removePicture,
    },
    ...(isAdministrator(account)
      ? [
          {
            id: 'account',
            label: 'Change my role or address…',
            run: (app: App) => openPersonForm(app, account.self.userId),
          },
        ]
      : []),
    {
      id: 'deactivate',
      label: 'Deactivate my account…',
      disabled: refusalReason(canDeactivateUser(account, account.self.userId)),
      confirm: {
        title: 'Deactivate your account?',
        yes: 'Deactivate my account',
        detail: 'only an administrator can bring it back',
      },
      run: deactivateOwnAccount,
    },
  ];
}

function removePicture(app: App): void {
  requestFromServer(app, {
    send: () => deleteAvatar(app.session.context),
    doneText: () => 'Removed your picture',
    failureText: 'The picture was not removed',
  });
}

function deactivateOwnAccount(app: App): void {
  requestFromServer(app, {
    progressText: 'Deactivating your account…',
    send: () => deactivateSelf(app.session.context),
    doneText: () => 'Your account is deactivated',
    failureText: 'Your account is still active',
  });
}
