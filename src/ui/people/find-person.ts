import type {User} from '#state/model/user.ts';
import {distinctUserName, sortedByName} from '#state/selectors/names/names.ts';
import {isAdministrator} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {memoBySlices} from '#std/memo.ts';
import {keyName} from '#terminal/input/key.ts';
import {failureReason} from '#ui/actions/server-request.ts';
import {findPeople, type PersonMatch} from '#ui/completion-menu/find-people.ts';
import {personDetail} from '#ui/completion-menu/mention-and-emoji-options.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {openedPicker, openPicker} from '#ui/overlays/picker.ts';
import {emptyLine, setText} from '#ui/text/text-field.ts';
import {openPersonForm} from './person-form.ts';
import {isEmail} from './person-rules.ts';
import {openUserCard} from './user-card.ts';
import {emailText} from './user-details.ts';

const finderId = 'find-person';
const lookupKey = 'look up';

/** Opens a picker of all people, also deactivated ones, that can ask the server for an email address. */
export function openPersonFinder(app: App, query = ''): void {
  openPicker(
    app,
    {
      id: finderId,
      title: 'Find a person',
      placeholder: 'name or email address',
      columns: 70,
      rowsShown: 12,
      rows: finderRows,
      empty: 'Nobody is found. A whole email address can be looked up on the server.',
      hintForRow: ({account}, row) =>
        row?.key === lookupKey && isAdministrator(account)
          ? {Enter: 'looks it up', 'Ctrl-E': 'edits that account'}
          : {Enter: 'shows the profile', Esc: 'closes'},
      accept: (from, row) => {
        if (row.key === lookupKey) lookUp(from, row.label, (opened, userId) => openFound(opened, userId, openUserCard));
        else openFound(from, Number(row.key), openUserCard);
      },
      onKey: (from, key, row) => {
        if (keyName(key) !== 'Ctrl-E' || row?.key !== lookupKey || !isAdministrator(from.state)) return false;
        lookUp(from, row.label, (opened, userId) =>
          openFound(opened, userId, () => openPersonForm(opened, userId, row.label)),
        );
        return true;
      },
    },
    query === '' ? emptyLine : setText(emptyLine, query),
  );
}

function openFound(app: App, userId: number, open: (app: App, userId: number) => void): void {
  // The response may arrive after the user went on.
  if (openedPicker(app)?.picker.id === finderId) app.closeOverlay();
  open(app, userId);
}

/** Asks the server for the user of an address, and shows the profile. */
export function lookUpPerson(app: App, email: string): void {
  lookUp(app, email, openUserCard);
}

/** Asks the server for the user of an address. */
function lookUp(app: App, email: string, open: (app: App, userId: number) => void): void {
  app.session.context.api.getUserByEmail({email}).then(
    ({user}) => open(app, user.user_id),
    (error: unknown) => {
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(`${email}: ${reason}`, 'error');
    },
  );
}

function finderRows({account}: Frame, query: string): readonly PickerRow[] {
  const written = query.trim();
  const active = findPeople(account, {query: written, conversation: undefined});
  const hidden = written === '' ? [] : hiddenMatches(account, written);
  // Scattered letters of active people must not come before the name of a deactivated one.
  const shown = hidden.length === 0 ? active : active.filter(({score}) => score >= matchScores.inside);
  const lookup: readonly PickerRow[] = isEmail(written)
    ? [{key: lookupKey, label: written, detail: 'ask the server for this address'}]
    : [];
  return [...shown.map((match) => activeRow(account, match)), ...hidden, ...lookup];
}

function activeRow(account: AccountState, {user, ranges}: PersonMatch): PickerRow {
  const notes = [personDetail(account, user, false) ?? '', emailText(user)];
  return {
    key: String(user.id),
    label: distinctUserName(account, user.id),
    matched: ranges,
    detail: notes.filter((part) => part !== '').join(' · '),
  };
}

/** The deactivated and muted people, whom other lists leave out. */
const hiddenPeople = memoBySlices(['users', 'mutedUsers'], ({users, mutedUsers}: AccountState): readonly User[] => {
  const hidden = [...users.values()].filter(({id, isActive}) => !isActive || mutedUsers.has(id));
  return sortedByName(hidden, ({fullName}) => fullName);
});

const maxHidden = 30;

function hiddenMatches(account: AccountState, query: string): readonly PickerRow[] {
  const matches = ({fullName, deliveryEmail = ''}: User) =>
    (fuzzyMatch(query, fullName)?.score ?? -1) >= matchScores.inside ||
    deliveryEmail.toLowerCase().startsWith(query.toLowerCase());
  return hiddenPeople(account)
    .filter(matches)
    .slice(0, maxHidden)
    .map(({id, isActive}) => ({
      key: String(id),
      label: distinctUserName(account, id),
      detail: isActive ? 'muted' : 'deactivated',
    }));
}
