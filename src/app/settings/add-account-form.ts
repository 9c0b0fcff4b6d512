import type {App} from '#app/core/app.ts';
import type {LoginServer} from '#app/core/host.ts';
import {openForm, setFieldEdit} from '#app/forms/open-form.ts';
import {confirm, openPicker} from '#app/overlays/picker.ts';
import {toastResult} from '#app/requests/server-request.ts';
import {type Form, type FormAction, type FormField, formAction, formField} from '#ui/core/form.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {unreadCountAtRight} from '#ui/format/unread-count-spans.ts';
import {isApiFailure} from '#wire/failure.ts';

/** Returns why accounts cannot be added here. */
function addAccountProblem({accounts}: App): string | undefined {
  return accounts.startLogin === undefined ? 'Add accounts with “parley login”' : undefined;
}

/** Opens the form for the address of a server. When the server was found, a form for the login follows. */
export function openAddAccountForm(app: App): void {
  if (app.warn(addAccountProblem(app))) return;
  const form: Form<{address: string}> = {
    id: 'add account',
    title: 'Add an account',
    isGeneral: true,
    isNew: true,
    saveLabel: 'Continue',
    initial: ({screen}) => ({address: screen.loginAddress}),
    fields: () => [
      formField('text', 'address', 'Server', {
        isRequired: true,
        placeholder: 'chat.example.com',
        help: 'The address of the organization, or the path of a zuliprc file. Ctrl-D continues.',
      }),
    ],
    errorField: () => 'address',
    save: async (from, _changes, {address}) => {
      const server = await from.accounts.startLogin?.(address);
      if (server === undefined) return undefined;
      from.set({loginAddress: server.site});
      // After this form has closed.
      from.clock.after(0, () => openLoginForm(from, server));
      return undefined;
    },
  };
  openForm(app, form);
}

type LoginValues = {
  /** The position of a login with the browser; -1 is the password or API key. */
  readonly method: number;
  readonly email: string;
  readonly secret: string;
  readonly pasted: string;
};

function openLoginForm(app: App, server: LoginServer): void {
  const {browserLogins, acceptsPasswords} = server;
  /** The field with the answer that was sent. */
  let answered = 'secret';
  const first = acceptsPasswords || browserLogins.length === 0 ? -1 : 0;
  const form: Form<LoginValues> = {
    id: `log in ${server.site}`,
    title: `Log in to ${server.name}`,
    isGeneral: true,
    isNew: true,
    saveLabel: 'Log in',
    columns: 90,
    initial: () => ({method: first, email: '', secret: '', pasted: ''}),
    fields: (_frame, values) => loginFields(server, values),
    actions: (_frame, {method}) => browserActions(server, method),
    errorField: (error) => (isApiFailure(error) && error.kind === 'retry' ? undefined : answered),
    save: async (_from, _changes, {method, email, secret, pasted}) => {
      const browserLogin = browserLogins[method];
      answered = browserLogin === undefined ? 'secret' : 'pasted';
      if (browserLogin === undefined) await server.logIn(email, secret);
      else await browserLogin.finish(pasted);
      return undefined;
    },
    // Unlike other unsaved values, a password is not kept.
    onClose: (from) => setFieldEdit(from, form, 'secret', undefined),
  };
  openForm(app, form);
  const [notice] = server.notices;
  if (notice !== undefined) app.toast(notice, 'warning');
}

function loginFields(server: LoginServer, {method}: LoginValues): readonly FormField[] {
  const {acceptsPasswords, browserLogins} = server;
  const secretLabel = acceptsPasswords ? 'Password or API key' : 'API key';
  const choices = [
    {value: -1, label: secretLabel},
    ...browserLogins.map(({name}, at) => ({value: at, label: `${name}, with the browser`})),
  ];
  const methods: readonly FormField[] =
    browserLogins.length === 0 ? [] : [formField('choice', 'method', 'Log in with', {choices})];
  const browserLogin = browserLogins[method];
  if (browserLogin !== undefined) {
    const help = browserLogin.steps;
    const result = `Ctrl-O opens the browser. On another machine: ${browserLogin.address}`;
    return [...methods, formField('text', 'pasted', 'Address', {isRequired: true, isSecret: true, help, result})];
  }
  const keyHelp = `Your API key is at ${server.site}/#settings/account-and-privacy`;
  return [
    ...methods,
    formField('text', 'email', 'Email', {isRequired: true, help: 'As you log in to this server.'}),
    formField('text', 'secret', secretLabel, {isRequired: true, isSecret: true, help: keyHelp}),
  ];
}

function browserActions({browserLogins}: LoginServer, method: number): readonly FormAction[] {
  const browserLogin = browserLogins[method];
  if (browserLogin === undefined) return [];
  const run = (app: App) => toastResult(app, app.device.open(browserLogin.address));
  return [formAction('open', 'Open the browser', {key: 'Ctrl-O', run})];
}

/** Says so when there is no account to switch to. */
function hasOtherAccounts(app: App): boolean {
  const hasOthers = app.accounts.list().length > 1;
  const way = addAccountProblem(app) === undefined ? 'g a' : '“parley login”';
  if (!hasOthers) app.toast({text: 'Only one account', hint: `${way} adds another`}, 'warning');
  return hasOthers;
}

const [addRow, removeRow] = ['add', 'remove'];

export function showAccount(app: App, index: number): void {
  if (!hasOtherAccounts(app)) return;
  const account = app.accounts.list()[index];
  if (account === undefined) app.toast(`No account ${index + 1}`, 'warning');
  else if (!account.isShown) app.accounts.show(index);
}

export function openAccountPicker(app: App): void {
  if (addAccountProblem(app) !== undefined && !hasOtherAccounts(app)) return;
  const accounts = app.accounts.list();
  openPicker(app, {
    id: 'accounts',
    title: 'Accounts',
    isGeneral: true,
    isMenu: true,
    hint: {Enter: 'switches', 'Alt-1 to Alt-9': 'from anywhere'},
    rows: (): readonly PickerRow[] => [
      ...accounts.map(({name, detail, isShown, unreads}, at) => ({
        key: String(at),
        label: `${at + 1}  ${name}`,
        detail: isShown ? `${detail} · current` : detail,
        ...(unreads !== undefined && unreadCountAtRight(unreads)),
      })),
      {key: addRow, label: 'Add an account…', disabled: addAccountProblem(app)},
      {key: removeRow, label: 'Remove an account…', disabled: removeProblem(app)},
    ],
    startAt: () => accounts.findIndex(({isShown}) => isShown),
    accept: (from, {key}) => {
      from.closeOverlay();
      if (key === addRow) openAddAccountForm(from);
      else if (key === removeRow) openRemoveAccount(from);
      else showAccount(from, Number(key));
    },
    onKey: (from, {name}) => {
      if (!/^[1-9]$/.test(name)) return false;
      from.closeOverlay();
      showAccount(from, Number(name) - 1);
      return true;
    },
  });
}

function removeProblem({accounts}: App): string | undefined {
  return accounts.remove === undefined ? 'Remove accounts with “parley accounts remove NAME”' : undefined;
}

/** Asks which account to remove if there are several, then whether. */
export function openRemoveAccount(app: App): void {
  if (app.warn(removeProblem(app))) return;
  const accounts = app.accounts.list();
  if (accounts.length === 1) {
    confirmRemoval(app, 0);
    return;
  }
  openPicker(app, {
    id: 'remove account',
    title: 'Remove an account from this machine',
    isGeneral: true,
    isMenu: true,
    hint: {Enter: 'asks, then removes it', Esc: 'closes'},
    rows: () =>
      accounts.map(({name, detail, isShown}, at) => ({
        key: String(at),
        label: name,
        detail: isShown ? `${detail} · current` : detail,
      })),
    startAt: () => accounts.findIndex(({isShown}) => isShown),
    accept: (from, {key}) => {
      from.closeOverlay();
      confirmRemoval(from, Number(key));
    },
  });
}

/** Asks, and says what is lost: undo cannot bring the key back. */
function confirmRemoval(app: App, index: number): void {
  const accounts = app.accounts.list();
  const removal = app.accounts.removalOf?.(index);
  const name = accounts[index]?.name;
  if (removal === undefined || name === undefined) return;
  if ('problem' in removal) {
    app.toast(removal.problem, 'warning');
    return;
  }
  confirm(app, {
    title: `Remove ${name} and its saved messages from this machine?`,
    isGeneral: true,
    yes: accounts.length === 1 ? `Remove ${name} and quit` : `Remove ${name}`,
    // Nothing is lost that a new login does not bring back, unless it is named.
    detail: removal.lost === '' ? 'you can log in again later' : `loses ${removal.lost}`,
    onYes: (from) => {
      from.accounts.remove?.(index);
      from.device.quit();
    },
  });
}
