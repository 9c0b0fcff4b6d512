import type {User} from '#state/model/user.ts';
import {hasNamesake, unknownUserName} from '#state/selectors/names/names.ts';
import {statusMessage} from '#state/selectors/people/presence-status.ts';
import {canChangeUser} from '#state/selectors/permissions/people-permissions.ts';
import {senderRole} from '#theme/roles.ts';
import {personPresence} from '#ui/channel-list/direct-presence.ts';
import type {Frame} from '#ui/core/frame.ts';
import {uiGlyphs} from '#ui/format/ui-glyphs.ts';
import {blankLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {presenceSpans} from '#ui/lists/navigation-row.ts';
import {
  cardBlockField,
  cardFieldLines,
  cardKeyLines,
  cardTextField,
  fieldValueColumns,
  paragraph,
  wrappedLines,
} from '#ui/overlays/card-lines.ts';
import {profileLinks} from './profile-links.ts';
import {statusText} from './status-text.ts';
import {
  emailText,
  groupNames,
  joinedText,
  localTimeText,
  mutualChannels,
  presenceText,
  profileFields,
  roleText,
} from './user-details.ts';

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
export function userKeys({account}: Pick<Frame, 'account'>, user: User): readonly (readonly [string, string])[] {
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
