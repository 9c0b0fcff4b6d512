import {openComposer} from '#app/composer/open-composer.ts';
import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {type CardKey, openCard, pressCardKey} from '#app/overlays/cards.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {failureReason, toastResult} from '#app/requests/server-request.ts';
import {currentConversation} from '#app/targets/action-target.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import {mentionMarkdown} from '#content/composer-markdown.ts';
import {fetchUserIdByEmail} from '#state/fetches/fetch-messages.ts';
import {userChannels} from '#state/fetches/queries.ts';
import {directConversation} from '#state/model/conversation.ts';
import type {User} from '#state/model/user.ts';
import {distinctUserName, sortedByName, unknownUserName} from '#state/selectors/names/names.ts';
import {canChangeUser} from '#state/selectors/permissions/people-permissions.ts';
import {isAdministrator} from '#state/selectors/permissions/permission.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {memoBySlices} from '#std/memo.ts';
import {keyName} from '#terminal/input/key.ts';
import {type Frame, fetched} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {blankLine, type UiLine} from '#ui/layout/ui-line.ts';
import {cardKeyLines, paragraph} from '#ui/overlays/card-lines.ts';
import {openedPicker} from '#ui/overlays/picker-rows.ts';
import {isEmail} from '#ui/people/person-rules.ts';
import {userDetailLines, userNameLines, userStatusLines} from '#ui/people/user-card-lines.ts';
import {emailText, type ProfileLink, profileLinks} from '#ui/people/user-details.ts';
import {findPeople, isAmbiguous, type PersonMatch} from '#ui/search/find-people.ts';
import {personDetail} from '#ui/search/mention-and-emoji-options.ts';
import {emptyLine, insert, setText} from '#ui/text/text-field.ts';
import {getUserChannels} from '#wire/endpoints/channels.ts';
import {sinceProblem} from '#wire/server-features.ts';
import {bots} from './bot-form.ts';
import {openOwnProfileForm, openPersonForm} from './person-form.ts';

/** Opens a user's card. It lists the mutual channels known here until the server's list arrives. */
export function openUserCard(app: App, userId: number): void {
  const isTooOld = sinceProblem(app.state.server.level, getUserChannels) !== undefined;
  const request = userChannels(userId);
  openCard(app, {
    id: 'user',
    title: 'Person',
    columns: 64,
    hint: {Esc: 'closes'},
    reads: isTooOld || userId === app.state.self.userId ? [] : [request],
    lines: (frame, width) => userCardLines(frame, width, userId, fetched(frame, request).data),
    onKey: (from, key) => {
      const user = from.state.users.get(userId);
      return user !== undefined && pressCardKey(from, key, userKeys(from.state, user));
    },
  });
}

/** Opens the form that changes this account: the own profile, a bot, or another person. */
export function openAccountForm(app: App, user: User): void {
  if (user.id === app.state.self.userId) openOwnProfileForm(app);
  else if (user.isBot) bots.openForm(app, user.id);
  else openPersonForm(app, user.id);
}

/** Opens what the profile leads to: at once if it is one address, otherwise after a choice. */
function openProfileLinks(app: App, user: User): void {
  const links = profileLinks(app.state, user);
  const [only, ...more] = links;
  if (only === undefined) return;
  if (more.length === 0) {
    openProfileLink(app, only);
    return;
  }
  openPicker(app, {
    id: 'profile-links',
    title: composed`Links of ${user.fullName}`,
    hint: {Enter: 'opens', Tab: 'copies'},
    rows: (_frame, query) =>
      links.flatMap((link, at): PickerRow[] => {
        const isFound = link.text.toLowerCase().includes(query.trim().toLowerCase());
        const detail = 'url' in link.target ? link.target.url : undefined;
        return isFound ? [{key: String(at), label: link.text, detail}] : [];
      }),
    accept: (from, {key}, how) => {
      const link = links[Number(key)];
      from.closeOverlay();
      if (link === undefined) return;
      if (how === 'tab' && 'url' in link.target) copyText(from, link.target.url, link.target.url);
      else openProfileLink(from, link);
    },
  });
}

function openProfileLink(app: App, {target}: ProfileLink): void {
  if ('userId' in target) {
    openUserCard(app, target.userId);
    return;
  }
  toastResult(app, app.device.open(target.url));
}

/** Mentions the user in the current conversation, or in a direct message to them. */
function mention(app: App, user: User): void {
  closeAll(app);
  const here = currentConversation(app) ?? directConversation([user.id], app.state.self.userId);
  const text = mentionMarkdown(user, isAmbiguous(app.state, user), false);
  openComposer(app, {target: here, text: (field) => insert(field, `${text} `)});
}

function toggleMutedUser(app: App, {id: userId, fullName}: User): void {
  const isMuted = !app.state.mutedUsers.has(userId);
  performUndoable(app, {kind: 'mutedUser', userId, isMuted}, composed`${isMuted ? 'Muted' : 'Unmuted'} ${fullName}`);
}

/** Closes all overlays, because the user goes elsewhere. */
function closeAll(app: App): void {
  while (app.screen.overlays.length > 0) app.closeOverlay();
}

/** Returns the lines of a user card: who the user is, and the keys. */
export function userCardLines(
  frame: Frame,
  width: number,
  userId: number,
  theirChannels: ReadonlySet<number> | undefined,
): readonly UiLine[] {
  const user = frame.account.users.get(userId);
  if (user === undefined) {
    return paragraph(composed`${unknownUserName}: no information available.`, 'dim', width);
  }
  return [
    ...userNameLines(frame, user, width),
    ...userStatusLines(frame, user, width),
    blankLine,
    ...cardKeyLines(userKeys(frame.account, user), width),
    blankLine,
    ...userDetailLines(frame, user, width, theirChannels),
  ];
}

/** Returns the card's keys with what they do. */
function userKeys(account: AccountState, user: User): readonly CardKey[] {
  const {id} = user;
  const isSelf = id === account.self.userId;
  const isMuted = account.mutedUsers.has(id);
  const email = emailText(user);
  const key = (isShown: boolean, ...shown: CardKey): readonly CardKey[] => (isShown ? [shown] : []);
  // Enter and x lead elsewhere, so all overlays close.
  const openMessages = (app: App) => {
    closeAll(app);
    openNarrow(app, [{operator: 'sender', operand: id}]);
  };
  const write = (app: App) => {
    closeAll(app);
    openComposer(app, {target: directConversation([id], account.self.userId)});
  };
  const edit = (app: App) => openAccountForm(app, user);
  return [
    ['Enter', isSelf ? 'your messages' : 'their messages', openMessages],
    ['x', isSelf ? 'notes to self' : 'direct message', write],
    ['@', 'mention', (app) => mention(app, user)],
    ...key(!isSelf && !user.isSystemBot, 'm', isMuted ? 'unmute' : 'mute', (app) => toggleMutedUser(app, user)),
    ...key(email !== '', 'c', 'copy email address', (app) => copyText(app, email, email)),
    ...key(profileLinks(account, user).length > 0, 'o', 'open links', (app) => openProfileLinks(app, user)),
    ...key(isSelf, 'E', 'edit profile', edit),
    ...key(!isSelf && canChangeUser(account, id).ok, 'E', 'edit account', edit),
  ];
}

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
  fetchUserIdByEmail(app.session.context, email).then(
    (userId) => open(app, userId),
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
