import type {User} from '#state/model/user.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {distinctUserName, userName} from '#state/selectors/names/names.ts';
import {canChangeUser, canCreateBot, canReactivateUser} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator, refusalReason} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {memoBySlices} from '#std/memo.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openRecordList, type RecordAction, type RecordRow} from '#ui/forms/record-list.ts';
import {reactivate} from './account-forms.ts';
import {confirmBotDeactivation, confirmNewKey, copyBotKey} from './bot-actions.ts';
import {openBotForm, openNewBotForm} from './bot-form.ts';

/** Opens the list of the user's bots; administrators see the bots of others below them. */
export function openBotList(app: App): void {
  openRecordList(app, {
    id: 'bots',
    title: 'Bots',
    columns: 72,
    empty: 'You have no bots',
    rows: botRows,
    add: {
      label: 'New bot…',
      disabledReason: ({account, minute}) => refusalReason(canCreateBot(account, minute)),
      run: (from) => openNewBotForm(from),
    },
    actions,
  });
}

/** The bots of the organization. Memoized, because an organization may have very many users. */
const allBots = memoBySlices(['users'], ({users}: AccountState): readonly User[] =>
  [...users.values()].filter(({isBot, isSystemBot}) => isBot && !isSystemBot),
);

function botRows({account}: Frame): readonly RecordRow[] {
  const {self} = account;
  const bots = allBots(account);
  const row = ({id, email, isActive, botOwnerId}: User): RecordRow => {
    const owner =
      botOwnerId === undefined || botOwnerId === self.userId ? '' : ` · of ${userName(account, botOwnerId)}`;
    const state = isActive ? '' : ' · deactivated';
    return {key: String(id), label: distinctUserName(account, id), detail: `${email}${owner}${state}`};
  };
  const sorted = (some: readonly User[]) =>
    [...sortedByName(some, ({fullName}) => fullName)].sort((a, b) => Number(b.isActive) - Number(a.isActive)).map(row);
  const own = sorted(bots.filter(({botOwnerId}) => botOwnerId === self.userId));
  const others = isAdministrator(account) ? sorted(bots.filter(({botOwnerId}) => botOwnerId !== self.userId)) : [];
  return others.length === 0 ? own : [...own, {key: 'others', label: 'Bots of others', isTitle: true}, ...others];
}

function isActive({key}: RecordRow, {account}: Frame): boolean {
  return account.users.get(Number(key))?.isActive === true;
}

function changeReason({key}: RecordRow, {account}: Frame): string | undefined {
  return refusalReason(canChangeUser(account, Number(key)));
}

const actions: readonly RecordAction[] = [
  {key: 'Enter', hint: 'edit', isReadOnly: true, run: (app, {key}) => openBotForm(app, Number(key))},
  {
    key: 'Ctrl-K',
    hint: 'key',
    isReadOnly: true,
    appliesTo: isActive,
    disabledReason: changeReason,
    run: (app, {key}) => copyBotKey(app, Number(key)),
  },
  {
    key: 'Ctrl-R',
    hint: 'new key',
    appliesTo: isActive,
    disabledReason: changeReason,
    run: (app, {key}) => confirmNewKey(app, Number(key)),
  },
  {
    key: 'Delete',
    hint: 'deactivate',
    appliesTo: isActive,
    disabledReason: changeReason,
    run: (app, {key}) => confirmBotDeactivation(app, Number(key)),
  },
  {
    key: 'Ctrl-T',
    hint: 'reactivate',
    appliesTo: (row, frame) => !isActive(row, frame),
    disabledReason: ({key}, {account, minute}) => refusalReason(canReactivateUser(account, Number(key), minute)),
    run: (app, {key}) => reactivate(app, Number(key)),
  },
];
