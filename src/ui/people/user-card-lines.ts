import type {User} from '#state/model/user.ts';
import {hasNamesake} from '#state/selectors/names/names.ts';
import {statusMessage} from '#state/selectors/people/people.ts';
import {composed, joined} from '#std/composed-text.ts';
import {senderRole} from '#theme/roles.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {UiLine, UiSpan} from '#ui/layout/ui-line.ts';
import {personPresence, presenceSpans} from '#ui/lists/navigation-row.ts';
import {
  cardBlockField,
  cardFieldLines,
  cardTextField,
  fieldValueColumns,
  paragraph,
  wrappedLines,
} from '#ui/overlays/card-lines.ts';
import {uiGlyphs} from '#wording/ui-glyphs.ts';
import {
  emailText,
  groupNames,
  joinedText,
  localTimeText,
  mutualChannels,
  presenceText,
  profileFields,
  roleText,
  statusText,
} from './user-details.ts';

/** Returns the name of a user and whether they are here. */
export function userNameLines(frame: Frame, user: User, width: number): readonly UiLine[] {
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

/** Returns the status of a user, and whether they are muted. */
export function userStatusLines({account, display}: Frame, user: User, width: number): readonly UiLine[] {
  const status = statusMessage(account, user.id);
  const text = status === undefined ? '' : statusText(status, display);
  const isMuted = account.mutedUsers.has(user.id);
  return [
    ...(text === '' ? [] : paragraph(text, 'text', width)),
    ...(isMuted ? paragraph('Muted: their messages are hidden.', 'warning', width) : []),
  ];
}

/** Returns the details of a user, a line or block for each. */
export function userDetailLines(
  frame: Frame,
  user: User,
  width: number,
  theirChannels: ReadonlySet<number> | undefined,
): readonly UiLine[] {
  const {account} = frame;
  const channels = mutualChannels(account, user.id, theirChannels).map((name) => composed`#${name}`);
  const isSelf = user.id === account.self.userId;
  return [
    ...cardTextField('Role', roleText(account, user), width),
    ...cardTextField('Local time', localTimeText(frame, user) ?? '', width),
    ...cardTextField('Time zone', user.timezone, width),
    ...cardTextField('Email', emailText(user), width),
    ...cardTextField('User ID', hasNamesake(account, user) ? String(user.id) : '', width),
    ...cardTextField('Joined', joinedText(frame, user), width),
    ...cardTextField('Groups', joined(groupNames(account, user.id)), width),
    ...(channels.length === 0
      ? []
      : cardFieldLines(isSelf ? 'Channels' : 'In common', [{text: joined(channels), role: 'channel_link'}], width)),
    ...profileFields(frame, user, fieldValueColumns(width)).flatMap(([name, lines]) =>
      cardBlockField(name, lines, width),
    ),
  ];
}
