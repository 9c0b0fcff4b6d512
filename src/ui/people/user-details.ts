import {emojiCharacters} from '#content/emoji.ts';
import {groupTitle} from '#content/group-title.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {clockText, dateText} from '#content/time-text.ts';
import type {User} from '#state/model/user.ts';
import {compareNames, distinctUserName, userName} from '#state/selectors/names/names.ts';
import {
  dropdownChoices,
  externalAccount,
  externalUrl,
  isMarkdown,
  presenceStatus,
  profileValueText,
  type StatusMessage,
  userIdsIn,
} from '#state/selectors/people/people.ts';
import type {ProfileField} from '#state/slices/profile-fields.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {wallTime} from '#std/parse-moment.ts';
import type {FormField, FormValue, FormValues} from '#ui/core/form.ts';
import type {DisplayOptions, Frame} from '#ui/core/frame.ts';
import {messageContext, renderOptionsOf} from '#ui/format/message-context.ts';
import type {UiLine} from '#ui/layout/ui-line.ts';
import {paragraph} from '#ui/overlays/card-lines.ts';
import {botTypes, type ProfileInput, profileFieldTypes, roles} from '#wire/objects/user.ts';
import {ageText, timeOptionsOf} from '#wording/moment-text.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';

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
  return owner === undefined ? kind : composed`${kind} of ${userName(account, owner)}`;
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
      return url === undefined ? [] : [{text: composed`${field.name}: ${value}`, target: {url}}];
    }
    if (field.type !== profileFieldTypes.user) return [];
    return userIdsIn(value).map((userId) => ({
      text: composed`${field.name}: ${distinctUserName(account, userId)}`,
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

/** The limits of the server. */
const maxShortText = 50;
const maxLongText = 500;

/** The form's key of a field of the profile. */
export function profileKey({id}: Pick<ProfileField, 'id'>): string {
  return `profile ${id}`;
}

/** Returns a user's profile as values of a form. */
export function profileValues({profileFields}: AccountState, user: User | undefined): FormValues {
  return Object.fromEntries(
    profileFields.map((field) => [profileKey(field), formValue(field, user?.profile[field.id]?.value ?? '')]),
  );
}

function formValue({type}: ProfileField, stored: string): FormValue {
  if (type === profileFieldTypes.user) return userIdsIn(stored);
  return type === profileFieldTypes.dropdown && stored === '' ? null : stored;
}

/** Returns the stored form of a value, as in a profile: people are a JSON list, and an empty value is null. */
export function storedProfileValue(value: FormValue | undefined): string | null {
  const text = Array.isArray(value) ? JSON.stringify(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' || text === '[]' ? null : text;
}

/** Returns the changed fields as the server takes them. */
export function profileInputs({profileFields}: AccountState, changes: Partial<FormValues>): readonly ProfileInput[] {
  return profileFields.flatMap((field) => {
    const value = changes[profileKey(field)];
    if (value === undefined) return [];
    const stored = storedProfileValue(value);
    return [{id: field.id, value: stored !== null && Array.isArray(value) ? [...value] : stored}];
  });
}

/** Returns the form's fields for the organization's profile fields. */
export function profileFormFields(
  account: AccountState,
  disabledReason: (field: ProfileField) => string | undefined,
): readonly FormField[] {
  const {profileFields} = account;
  if (profileFields.length === 0) return [];
  return [
    {kind: 'section', label: 'Profile'},
    ...profileFields.map((field) => profileFormField(account, field, disabledReason(field))),
  ];
}

function profileFormField(account: AccountState, field: ProfileField, disabled: string | undefined): FormField {
  const {name: label, hint = '', type, required} = field;
  const base = {key: profileKey(field), label, disabled, help: hint === '' ? undefined : hint};
  const validate = (text: string) => (required === true && text.trim() === '' ? `${label} is required` : undefined);
  switch (type) {
    case profileFieldTypes.paragraph:
      return {...base, kind: 'text', isMultiline: true, maxLength: maxLongText, validate};
    case profileFieldTypes.dropdown: {
      const none = {value: null, label: 'none', ...(required === true && {disabled: `${label} is required`})};
      return {...base, kind: 'choice', choices: [none, ...dropdownChoices(field)]};
    }
    case profileFieldTypes.date:
      return {
        ...base,
        kind: 'text',
        placeholder: 'year-month-day, such as 1990-03-25',
        validate: (text) => validate(text) ?? dateProblem(text),
      };
    case profileFieldTypes.url:
      return {
        ...base,
        kind: 'text',
        placeholder: 'https://…',
        validate: (text) => validate(text) ?? addressProblem(text),
      };
    case profileFieldTypes.user:
      return {
        ...base,
        kind: 'people',
        emptyText: 'nobody',
        isOffered: (id, {account: {users}}) => users.get(id)?.isBot === false,
        validate: (ids) => (required === true && ids.length === 0 ? `${label} is required` : undefined),
      };
    case profileFieldTypes.externalAccount: {
      const {title, hint: usual} = externalAccount(account, field);
      const help = base.help ?? usual ?? (title === undefined ? undefined : composed`Your username on ${title}.`);
      return {...base, kind: 'text', help, placeholder: 'username', maxLength: maxShortText, validate};
    }
    default:
      return {...base, kind: 'text', maxLength: maxShortText, validate};
  }
}

function dateProblem(text: string): string | undefined {
  if (text === '') return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
  return isDay ? undefined : 'Write the day as year-month-day, such as 1990-03-25';
}

function addressProblem(text: string): string | undefined {
  const isAddress = text === '' || (/^https?:\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text));
  return isAddress ? undefined : 'Write an address that starts with https:// or http://';
}

/** Returns a status such as `🎧 in the workshop`. */
export function statusText(status: StatusMessage, display: Pick<DisplayOptions, 'glyphs'>): string {
  return [statusEmoji(status, display), status.text].filter((part) => part !== '').join(' ');
}

/** Returns the status emoji; empty when there is none. */
export function statusEmoji(
  {emojiName, emojiCode, reactionType}: StatusMessage,
  {glyphs}: Pick<DisplayOptions, 'glyphs'>,
): string {
  if (emojiName === undefined) return '';
  const isUnicode = glyphs === 'unicode' && reactionType === 'unicode_emoji';
  return (isUnicode ? emojiCharacters(emojiCode ?? '') : undefined) ?? `:${emojiName}:`;
}
