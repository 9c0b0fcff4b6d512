import type {Frame} from '#app/core/frame.ts';
import {uiGlyphs} from '#app/format/ui-glyphs.ts';
import {blank, row, type UiLine, type UiSpan} from '#app/layout/ui-line.ts';
import {personPresence} from '#app/lists/direct-presence.ts';
import {presenceSpans} from '#app/lists/navigation-row.ts';
import {fieldLines, keyLines, paragraph, textField} from '#app/overlays/card-lines.ts';
import type {User} from '#state/model/user.ts';
import {unknownUserName} from '#state/selectors/names/names.ts';
import {statusMessage} from '#state/selectors/people/presence-status.ts';
import {senderRole} from '#theme/roles.ts';
import {statusText} from './status-text.ts';
import {
  addressText,
  groupNames,
  joinedText,
  localTimeText,
  mutualChannels,
  presenceText,
  profileTexts,
  roleText,
} from './user-details.ts';

/** Who somebody is, and what can be done about them. */
export function userCardLines(
  frame: Frame,
  width: number,
  userId: number,
  theirChannels: ReadonlySet<number> | undefined,
): readonly UiLine[] {
  const user = frame.account.users.get(userId);
  if (user === undefined) {
    return paragraph(`${unknownUserName}: nothing is known about who this is.`, 'dim', width);
  }
  return [
    headLine(frame, user, width),
    ...statusLines(frame, user, width),
    blank,
    ...keyLines(userKeys(frame, user), width),
    blank,
    ...factLines(frame, user, width, theirChannels),
  ];
}

function headLine(frame: Frame, user: User, width: number): UiLine {
  const {account} = frame;
  const isSelf = user.id === account.self.userId;
  const name: UiSpan = {
    text: user.fullName,
    role: senderRole({id: user.id, isSelf, isBot: user.isBot}),
    bold: true,
  };
  const presence = presenceText(frame, user);
  const glyphs = uiGlyphs(frame.looks);
  const state: readonly UiSpan[] =
    presence === undefined
      ? []
      : [
          {text: '  ', role: 'text'},
          ...presenceSpans(personPresence(frame, user.id), glyphs),
          {text: presence, role: 'dim'},
        ];
  return row([name, {text: isSelf ? ' (you)' : '', role: 'dim'}, ...state], width, glyphs.ellipsis);
}

function statusLines({account, looks}: Frame, user: User, width: number): readonly UiLine[] {
  const status = statusMessage(account, user.id);
  const text = status === undefined ? '' : statusText(status, looks);
  const isMuted = account.mutedUsers.has(user.id);
  return [
    ...(text === '' ? [] : paragraph(text, 'text', width)),
    ...(isMuted ? paragraph('You muted them: what they write is hidden.', 'warning', width) : []),
  ];
}

function factLines(
  frame: Frame,
  user: User,
  width: number,
  theirChannels: ReadonlySet<number> | undefined,
): readonly UiLine[] {
  const {account} = frame;
  const channels = mutualChannels(account, user.id, theirChannels).map((name) => `#${name}`);
  const isSelf = user.id === account.self.userId;
  return [
    ...textField('Role', roleText(account, user), width),
    ...textField('Local time', localTimeText(frame, user) ?? '', width),
    ...textField('Email', addressText(user), width),
    ...textField('Joined', joinedText(frame, user), width),
    ...textField('Groups', groupNames(account, user.id).join(', '), width),
    ...(channels.length === 0
      ? []
      : fieldLines(
          isSelf ? 'Channels' : 'In common',
          [{text: channels.join(', '), role: 'channel_link'}],
          width,
        )),
    ...profileTexts(account, user).flatMap(([name, value]) => textField(`${name} `, value, width)),
  ];
}

/** The keys of the card, and what they do. */
export function userKeys(
  {account}: Pick<Frame, 'account'>,
  user: User,
): readonly (readonly [string, string])[] {
  const isSelf = user.id === account.self.userId;
  const isMuted = account.mutedUsers.has(user.id);
  return [
    ['Enter', isSelf ? 'your messages' : 'their messages'],
    ['x', isSelf ? 'notes to self' : 'write'],
    ['@', 'mention'],
    ...(isSelf || user.isSystemBot ? [] : [['m', isMuted ? 'unmute' : 'mute'] as const]),
    ...(addressText(user) === '' ? [] : [['c', 'copy the address'] as const]),
  ];
}
