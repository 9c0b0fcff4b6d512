import {mentionMarkdown} from '#content/composer-markdown.ts';
import {directConversation} from '#state/model/conversation.ts';
import type {User} from '#state/model/user.ts';
import {hasNamesake, unknownUserName} from '#state/selectors/names/names.ts';
import {statusMessage} from '#state/selectors/people/people.ts';
import {canChangeUser} from '#state/selectors/permissions/people-permissions.ts';
import {errorText} from '#std/error-text.ts';
import type {Key} from '#terminal/input/key.ts';
import {senderRole} from '#theme/roles.ts';
import {currentConversation} from '#ui/actions/action-target.ts';
import {isAmbiguous} from '#ui/completion-menu/find-people.ts';
import {openComposer} from '#ui/composer/open-composer.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {Card, PickerRow} from '#ui/core/overlay.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {blankLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {personPresence, presenceSpans} from '#ui/lists/navigation-row.ts';
import {copyText} from '#ui/message-actions/message-content.ts';
import {ignoreFailure, openNarrow} from '#ui/navigation/navigation.ts';
import {
  cardBlockField,
  cardFieldLines,
  cardKeyLines,
  cardTextField,
  fieldValueColumns,
  openCard,
  paragraph,
  replaceCard,
  wrappedLines,
} from '#ui/overlays/cards.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {insert} from '#ui/text/text-field.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';
import {getUserChannels} from '#wire/endpoints/channels.ts';
import {sinceProblem} from '#wire/server-features.ts';
import {openBotForm} from './bot-form.ts';
import {openOwnProfileForm, openPersonForm} from './person-form.ts';
import {statusText} from './status-text.ts';
import {
  emailText,
  groupNames,
  joinedText,
  localTimeText,
  mutualChannels,
  type ProfileLink,
  presenceText,
  profileFields,
  profileLinks,
  roleText,
} from './user-details.ts';

/** Opens a user's card. It lists the mutual channels known here until the server's list arrives. */
export function openUserCard(app: App, userId: number): void {
  const card: Card = {
    id: 'user',
    title: 'Person',
    columns: 64,
    hint: {Esc: 'closes'},
    lines: (frame, width) => userCardLines(frame, width, userId, undefined),
    onKey: (from, key) => pressOnUser(from, userId, key),
  };
  openCard(app, card);
  const isTooOld = sinceProblem(app.state.server.level, getUserChannels) !== undefined;
  if (isTooOld || userId === app.state.self.userId) return;
  ignoreFailure(fillChannels(app, card, userId));
}

async function fillChannels(app: App, card: Card, userId: number): Promise<void> {
  const {api, signal} = app.session.context;
  const {subscribed_channel_ids: ids} = await api.getUserChannels({user_id: userId}, {signal});
  const theirs = new Set(ids);
  const lines: Card['lines'] = (frame, width) => userCardLines(frame, width, userId, theirs);
  replaceCard(app, card, {...card, lines});
}

const userActions: Readonly<Record<string, (app: App, user: User) => void>> = {
  Enter: (app, {id}) => {
    closeAll(app);
    openNarrow(app, [{operator: 'sender', operand: id}]);
  },
  x: (app, {id}) => {
    closeAll(app);
    openComposer(app, {target: directConversation([id], app.state.self.userId)});
  },
  '@': mention,
  m: toggleMutedUser,
  E: openAccountForm,
  o: openProfileLinks,
  c: (app, user) => copyText(app, emailText(user), emailText(user)),
};

function pressOnUser(app: App, userId: number, {name, ctrl, alt}: Key): boolean {
  const user = app.state.users.get(userId);
  if (user === undefined || ctrl === true || alt === true) return false;
  if (!userKeys({account: app.state}, user).some(([key]) => key === name)) return false;
  userActions[name]?.(app, user);
  return true;
}

/** Opens the form that changes this account: the own profile, a bot, or another person. */
export function openAccountForm(app: App, user: User): void {
  if (user.id === app.state.self.userId) openOwnProfileForm(app);
  else if (user.isBot) openBotForm(app, user.id);
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
    title: `Links of ${user.fullName}`,
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
  app.device.open(target.url).then(
    (result) => app.toast(result),
    (error: unknown) => app.toast(errorText(error), 'error'),
  );
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
  performUndoable(app, {kind: 'mutedUser', userId, isMuted}, `${isMuted ? 'Muted' : 'Unmuted'} ${fullName}`);
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
    return paragraph(`${unknownUserName}: no information available.`, 'dim', width);
  }
  return [
    ...headLines(frame, user, width),
    ...statusLines(frame, user, width),
    blankLine,
    ...cardKeyLines(userKeys(frame, user), width),
    blankLine,
    ...detailLines(frame, user, width, theirChannels),
  ];
}

function headLines(frame: Frame, user: User, width: number): readonly UiLine[] {
  const {account} = frame;
  const isSelf = user.id === account.self.userId;
  const name: UiSpan = {
    text: user.fullName,
    role: senderRole({id: user.id, isSelf, isBot: user.isBot}),
    bold: true,
  };
  const presence = presenceText(frame, user);
  const glyphs = uiGlyphs(frame.display);
  const state: readonly UiSpan[] =
    presence === undefined
      ? []
      : [
          {text: '  ', role: 'text'},
          ...presenceSpans(personPresence(frame, user.id), glyphs),
          {text: presence, role: 'dim'},
        ];
  return wrappedLines([name, {text: isSelf ? ' (you)' : '', role: 'dim'}, ...state], width);
}

function statusLines({account, display}: Frame, user: User, width: number): readonly UiLine[] {
  const status = statusMessage(account, user.id);
  const text = status === undefined ? '' : statusText(status, display);
  const isMuted = account.mutedUsers.has(user.id);
  return [
    ...(text === '' ? [] : paragraph(text, 'text', width)),
    ...(isMuted ? paragraph('Muted: their messages are hidden.', 'warning', width) : []),
  ];
}

function detailLines(
  frame: Frame,
  user: User,
  width: number,
  theirChannels: ReadonlySet<number> | undefined,
): readonly UiLine[] {
  const {account} = frame;
  const channels = mutualChannels(account, user.id, theirChannels).map((name) => `#${name}`);
  const isSelf = user.id === account.self.userId;
  return [
    ...cardTextField('Role', roleText(account, user), width),
    ...cardTextField('Local time', localTimeText(frame, user) ?? '', width),
    ...cardTextField('Time zone', user.timezone, width),
    ...cardTextField('Email', emailText(user), width),
    ...cardTextField('User ID', hasNamesake(account, user) ? String(user.id) : '', width),
    ...cardTextField('Joined', joinedText(frame, user), width),
    ...cardTextField('Groups', groupNames(account, user.id).join(', '), width),
    ...(channels.length === 0
      ? []
      : cardFieldLines(isSelf ? 'Channels' : 'In common', [{text: channels.join(', '), role: 'channel_link'}], width)),
    ...profileFields(frame, user, fieldValueColumns(width)).flatMap(([name, lines]) =>
      cardBlockField(name, lines, width),
    ),
  ];
}

/** Returns the card's keys with what they do. */
function userKeys({account}: Pick<Frame, 'account'>, user: User): readonly (readonly [string, string])[] {
  const isSelf = user.id === account.self.userId;
  const isMuted = account.mutedUsers.has(user.id);
  return [
    ['Enter', isSelf ? 'your messages' : 'their messages'],
    ['x', isSelf ? 'notes to self' : 'direct message'],
    ['@', 'mention'],
    ...(isSelf || user.isSystemBot ? [] : [['m', isMuted ? 'unmute' : 'mute'] as const]),
    ...(emailText(user) === '' ? [] : [['c', 'copy email address'] as const]),
    ...(profileLinks(account, user).length === 0 ? [] : [['o', 'open links'] as const]),
    ...(isSelf ? [['E', 'edit profile'] as const] : []),
    ...(!isSelf && canChangeUser(account, user.id).ok ? [['E', 'edit account'] as const] : []),
  ];
}
