import {isRefusal} from '#api/failure.ts';
import {createUser} from '#state/actions/people.ts';
import {isAdministrator} from '#state/selectors/permissions/permission.ts';
import {failureReason} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Form, FormField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {emailProblem, nameProblem} from './person-rules.ts';

type NewUserValues = {readonly email: string; readonly fullName: string; readonly password: string};

/** Opens the form that creates an account for somebody. Servers let only some administrators do that. */
export function openCreateUserForm(app: App): void {
  const form: Form<NewUserValues> = {
    id: 'new user',
    title: 'New account',
    isNew: true,
    saveLabel: 'Create the account',
    initial: () => ({email: '', fullName: '', password: ''}),
    fields: newUserFields,
    errorField: (error) => {
      if (!isRefusal(error)) return undefined;
      const reason = failureReason(error) ?? '';
      return /password/i.test(reason) ? 'password' : /e-?mail|address|domain/i.test(reason) ? 'email' : undefined;
    },
    save: async (from, _changes, values) => {
      await createUser(from.session.context, values);
      return `Created the account of ${values.fullName}`;
    },
  };
  openForm(app, form);
}

function newUserFields({account}: Frame): readonly FormField[] {
  const disabled = isAdministrator(account) ? undefined : 'Only administrators can create accounts.';
  const min = account.server.passwordMinLength ?? 0;
  return [
    {
      kind: 'text',
      key: 'email',
      label: 'Email',
      isRequired: true,
      placeholder: 'ann@example.com',
      help: 'To let people choose a password themselves, invite them.',
      validate: emailProblem,
      disabled,
    },
    {kind: 'text', key: 'fullName', label: 'Name', isRequired: true, validate: nameProblem, disabled},
    {
      kind: 'text',
      key: 'password',
      label: 'Password',
      isSecret: true,
      isRequired: true,
      maxLength: account.server.passwordMaxLength,
      validate: (text) => (text.length < min ? `At least ${min} characters` : undefined),
      disabled,
    },
  ];
}
