import {groupTitle} from '#content/group-title.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {clockText, dateText} from '#content/time-text.ts';
import type {User} from '#state/model/user.ts';
import {compareNames} from '#state/selectors/names/compare-names.ts';
import {distinctUserName, userName} from '#state/selectors/names/names.ts';
import {presenceStatus} from '#state/selectors/people/presence-status.ts';
import {externalUrl, isMarkdown, profileValueText, userIdsIn} from '#state/selectors/people/profile-value.ts';
import type {AccountState, ProfileField} from '#state/state.ts';
import type {Frame} from '#ui/core/frame.ts';
import {messageContext} from '#ui/format/message-context.ts';
import {ageText, timeOptionsOf} from '#ui/format/moment-text.ts';
import {wallTime} from '#ui/format/parse-moment.ts';
import {renderOptionsOf} from '#ui/format/render-options.ts';
import {plainGlyphText} from '#ui/format/ui-glyphs.ts';
import type {UiLine} from '#ui/layout/ui-line.ts';
import {paragraph} from '#ui/overlays/cards.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import {botTypes, roles} from '#wire/objects/user.ts';

const roleNames: ReadonlyMap<number, string> = new Map([
  [roles.owner, 'Owner'],
  [roles.administrator, 'Administrator'],
  [roles.moderator, 'Moderator'],
  [roles.member, 'Member'],
  [roles.guest, 'Guest'],
]);

/** All roles with their names, the highest first. */
export function roleChoices(): readonly (readonly [role: number, name: string])[] {
  return [...roleNames];
}

export function roleName(role: number): string {
  return roleNames.get(role) ?? 'Member';
}

/** Returns the user's role as text. */
export function roleText(account: AccountState, user: User): string {
  if (user.isSystemBot) return 'System bot';
  if (!user.isBot) return roleName(user.role);
  const owner = user.botOwnerId;
  const kind = user.botType === botTypes.incomingWebhook ? 'Webhook bot' : 'Bot';
  return owner === undefined ? kind : `${kind} of ${userName(account, owner)}`;
}

/** Returns `active now`, `idle` or `last active 3h ago`; undefined where presence is unavailable. */
export function presenceText({account, minute}: Frame, user: User): string | undefined {
  if (!user.isActive) return 'deactivated';
  if (user.isBot || account.realm.presenceDisabled === true) return undefined;
  const {status, lastActiveAt} = presenceStatus(account, user.id, minute);
  if (status === 'active') return 'active now';
  if (status === 'idle') return 'idle';
  if (lastActiveAt === undefined) return 'offline';
  const age = ageText(lastActiveAt * 1000, minute);
  return age === 'now' ? 'last active just now' : `last active ${age} ago`;
}

/** Returns `14:30 · 2 hours ahead of you`; undefined when the zone is unknown. */
export function localTimeText(frame: Frame, {timezone}: User): string | undefined {
  if (timezone === '' || !isZone(timezone)) return undefined;
  const {minute, display} = frame;
  const clock = clockText(minute, {...timeOptionsOf(frame), zone: timezone});
  const minutes = wallMinutes(minute, timezone) - wallMinutes(minute, display.zone);
  return minutes === 0 ? clock : plainGlyphText(`${clock} · ${apartText(minutes)} you`, display);
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', {timeZone: zone}).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function wallMinutes(at: number, zone: string | undefined): number {
  const {year, month, day, hour, minute} = wallTime(at, zone);
  return Date.UTC(year, month - 1, day, hour, minute) / 60_000;
}

function apartText(minutes: number): string {
  const hours = Math.round(Math.abs(minutes) / 6) / 10;
  return `${hours} ${hours === 1 ? 'hour' : 'hours'} ${minutes > 0 ? 'ahead of' : 'behind'}`;
}

/** Returns the visible email address; addresses made up by the server do not work. */
export function emailText({deliveryEmail, email, isBot}: User): string {
  return deliveryEmail ?? (isBot ? email : '');
}

export function joinedText(frame: Frame, {dateJoined}: User): string {
  const at = dateJoined === undefined ? Number.NaN : Date.parse(dateJoined);
  return Number.isNaN(at) ? '' : dateText(at, timeOptionsOf(frame));
}

/** Returns the user-created groups that list the user as a member. */
export function groupNames({groups}: AccountState, userId: number): readonly string[] {
  return [...groups.values()]
    .filter((group) => !group.isSystemGroup && !group.isDeactivated && group.members.has(userId))
    .map(({name}) => groupTitle(name))
    .sort(compareNames);
}

/** Returns the mutual channels; `theirs` is the server's list of the user's channels, if it has arrived. */
export function mutualChannels(
  {channels, subscriptions, subscribers}: AccountState,
  userId: number,
  theirs: ReadonlySet<number> | undefined,
): readonly string[] {
  return [...subscriptions.values()]
    .filter(
      ({channelId, isSubscribed}) =>
        isSubscribed && (theirs?.has(channelId) ?? subscribers.get(channelId)?.ids.has(userId) === true),
    )
    .flatMap(({channelId}) => {
      const channel = channels.get(channelId);
      return channel === undefined || channel.isArchived === true ? [] : [channel.name];
    })
    .sort(compareNames);
}

/** Returns the values of the organization's custom profile fields as lines. */
export function profileFields(
  frame: Frame,
  {profile}: User,
  width: number,
): readonly (readonly [name: string, lines: readonly UiLine[]])[] {
  const {account} = frame;
  return account.profileFields.flatMap((field) => {
    const value = profile[field.id]?.value ?? '';
    const lines = isMarkdown(field)
      ? renderMessage({source: value}, messageContext(account), {
          ...renderOptionsOf(frame, width),
          footLinks: true,
          expanded: true,
        }).lines
      : paragraph(profileText(frame, field, value), 'text', width);
    return value.trim() === '' || lines.length === 0 ? [] : [[field.name, lines] as const];
  });
}

function profileText(frame: Frame, field: ProfileField, value: string): string {
  if (field.type !== profileFieldTypes.date) return profileValueText(frame.account, field, value);
  const at = Date.parse(value);
  // A birthday has no zone: it is the same day everywhere.
  return Number.isNaN(at) ? value : dateText(at, {...timeOptionsOf(frame), zone: 'UTC'});
}

export interface ProfileLink {
  readonly text: string;
  readonly target: {readonly url: string} | {readonly userId: number};
}

/** Returns what a value leads to: an address, an account elsewhere, or people. */
export function profileLinks(account: AccountState, {profile}: User): readonly ProfileLink[] {
  return account.profileFields.flatMap((field): readonly ProfileLink[] => {
    const value = profile[field.id]?.value.trim() ?? '';
    if (value === '') return [];
    if (isMarkdown(field)) return linksIn(account, value);
    if (field.type === profileFieldTypes.url) return [{text: field.name, target: {url: value}}];
    if (field.type === profileFieldTypes.externalAccount) {
      const url = externalUrl(account, field, value);
      return url === undefined ? [] : [{text: `${field.name}: ${value}`, target: {url}}];
    }
    if (field.type !== profileFieldTypes.user) return [];
    return userIdsIn(value).map((userId) => ({
      text: `${field.name}: ${distinctUserName(account, userId)}`,
      target: {userId},
    }));
  });
}

/** Wide enough that nothing is cut; only the links are used. */
const anyWidth = 200;

function linksIn(account: AccountState, source: string): readonly ProfileLink[] {
  const {links} = renderMessage({source}, messageContext(account), {width: anyWidth, expanded: true});
  return links.flatMap(({text, url}) =>
    /^https?:/i.test(url) ? [{text: text === '' ? url : text, target: {url}}] : [],
  );
}
