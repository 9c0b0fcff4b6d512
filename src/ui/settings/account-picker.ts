import type {App} from '#ui/core/app.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {unreadCountAtRight} from '#ui/format/unread-count.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {addAccountProblem, openAddAccountForm} from './add-account-form.ts';

/** Says so when there is no account to switch to. */
function hasOtherAccounts(app: App): boolean {
  const hasOthers = app.accounts.list().length > 1;
  const way = addAccountProblem(app) === undefined ? 'g a' : '“parley login”';
  if (!hasOthers) app.toast(`Only one account · ${way} adds another`, 'warning');
  return hasOthers;
}

const addRow = 'add';

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
    isMenu: true,
    hint: 'Enter switches · Alt-1 to Alt-9 from anywhere',
    rows: (): readonly PickerRow[] => [
      ...accounts.map(({name, detail, isShown, unreads}, at) => ({
        key: String(at),
        label: `${at + 1}  ${name}`,
        detail: isShown ? `${detail} · current` : detail,
        ...(unreads !== undefined && unreadCountAtRight(unreads)),
      })),
      {key: addRow, label: 'Add an account…', disabled: addAccountProblem(app)},
    ],
    startAt: () =>
      Math.max(
        0,
        accounts.findIndex(({isShown}) => isShown),
      ),
    accept: (from, {key}) => {
      from.closeOverlay();
      if (key === addRow) openAddAccountForm(from);
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
