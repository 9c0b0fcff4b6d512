import {changeOwnEmail, changePassword} from '#state/actions/own-profile.ts';
import {isAdministrator, selfUser} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, TextFormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';

const maxNameLength = 100;

export function ownName({account}: Frame): string {
  return selfUser(account)?.fullName ?? '';
}

export function ownEmail({account}: Frame): string {
  const self = selfUser(account);
  return self?.deliveryEmail ?? self?.email ?? '';
}

/** Returns why the user's name cannot be changed. */
export function nameProblem(account: AccountState): string | undefined {
  const isFixed = account.realm.nameChangesDisabled === true && !isAdministrator(account);
  return isFixed ? 'Only administrators change names in this organization' : undefined;
}

/** Returns why the user's email address cannot be changed. */
export function emailProblem(account: AccountState): string | undefined {
  const isFixed = account.realm.emailChangesDisabled === true && !isAdministrator(account);
  return isFixed ? 'Only administrators change email addresses in this organization' : undefined;
}

export function openNameForm(app: App): void {
  const form: Form<{name: string}> = {
    id: 'own name',
    title: 'My name',
    initial: (frame) => ({name: ownName(frame)}),
    fields: ({account}) => [
      {
        kind: 'text',
        key: 'name',
        label: 'Name',
        isRequired: true,
        maxLength: maxNameLength,
        disabled: nameProblem(account),
        validate: (name) => (/[*`\\>"@]/.test(name) ? 'Names cannot contain * ` \\ > " @' : undefined),
      },
    ],
    save: async (from, {name = ''}) => {
      performUndoable(from, {kind: 'fullName', fullName: name}, `Changed your name to ${name}`);
      return undefined;
    },
  };
  openForm(app, form);
}

export function openEmailForm(app: App): void {
  const form: Form<{email: string}> = {
    id: 'own email',
    title: 'My email address',
    initial: (frame) => ({email: ownEmail(frame)}),
    fields: ({account}) => [
      {
        kind: 'text',
        key: 'email',
        label: 'Email',
        isRequired: true,
        help: 'Parley logs in with your address: it asks for your password again after the change.',
        disabled: emailProblem(account),
        validate: (email) => (/^\S+@\S+$/.test(email) ? undefined : 'Not an email address'),
      },
    ],
    save: async (from, {email = ''}) => {
      await changeOwnEmail(from.session.context, email);
      return `New address: ${email} · if a message arrives there, confirm it`;
    },
  };
  openForm(app, form);
}

type Passwords = {current: string; next: string; again: string};

export function openPasswordForm(app: App): void {
  const secret = (key: keyof Passwords, label: string, more: Partial<TextFormField> = {}): TextFormField => {
    return {kind: 'text', key, label, isSecret: true, isRequired: true, ...more};
  };
  const form: Form<Passwords> = {
    id: 'own password',
    title: 'My password',
    isNew: true,
    saveLabel: 'Change the password',
    initial: () => ({current: '', next: '', again: ''}),
    fields: ({account}, {next}) => {
      const min = account.server.passwordMinLength ?? 0;
      return [
        secret('current', 'Current password'),
        secret('next', 'New password', {
          validate: (text) => (text.length < min ? `At least ${min} characters` : undefined),
        }),
        secret('again', 'New password again', {
          validate: (text) => (text === next ? undefined : 'The new passwords differ'),
        }),
      ];
    },
    errorField: (error) => (/wrong/i.test(String(Reflect.get(Object(error), 'message'))) ? 'current' : 'next'),
    save: async (from, {current = '', next = ''}) => {
      await changePassword(from.session.context, {current, next});
      return 'Password changed';
    },
  };
  openForm(app, form);
}
