import {type Conversation, conversationKey} from '#state/model/conversation.ts';
import {compareNames, distinctUserName, userName} from '#state/selectors/names/names.ts';
import type {ProfileField} from '#state/slices/profile-fields.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {parsedJson} from '#std/parse-json.ts';
import {realmDefaults} from '#wire/objects/realm.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';

export type Availability = 'active' | 'idle' | 'offline';

interface PresenceStatus {
  readonly status: Availability;
  /** UNIX seconds by the server's clock; undefined when never seen, or when presence is disabled. */
  readonly lastActiveAt: number | undefined;
}

export interface StatusMessage {
  readonly text: string;
  readonly emojiName: string | undefined;
  readonly emojiCode: string | undefined;
  readonly reactionType: string | undefined;
  /** The user set themselves to away (servers below level 148). */
  readonly isAway: boolean;
}

const {server_presence_offline_threshold_seconds: offlineAfterSeconds} = realmDefaults;

const unseen: PresenceStatus = {status: 'offline', lastActiveAt: undefined};

/** Returns a user's presence. Bots have none, nor has anyone where the organization disabled presence. */
export function presenceStatus(
  state: Pick<AccountState, 'presences' | 'realm' | 'users' | 'server'>,
  userId: number,
  clockMs: number,
): PresenceStatus {
  const seen = state.presences.byUser.get(userId);
  if (seen === undefined || state.realm.presenceDisabled === true) return unseen;
  const user = state.users.get(userId);
  if (user?.isBot === true || user?.isActive === false) return unseen;
  const {activeAt, idleAt} = seen;
  const lastActiveAt = activeAt ?? idleAt;
  const {serverPresenceOfflineThresholdSeconds: threshold = offlineAfterSeconds} = state.server;
  const since = serverNow(state, clockMs) - threshold;
  if (activeAt !== undefined && activeAt > since) return {status: 'active', lastActiveAt};
  if (idleAt !== undefined && idleAt > since) return {status: 'idle', lastActiveAt};
  return {status: 'offline', lastActiveAt};
}

export function statusMessage(state: AccountState, userId: number): StatusMessage | undefined {
  const status = state.statuses.get(userId);
  if (status === undefined) return undefined;
  const text = status.statusText ?? '';
  const emojiName = status.emojiName === '' ? undefined : status.emojiName;
  const isAway = status.away === true;
  if (text === '' && emojiName === undefined && !isAway) return undefined;
  return {
    text,
    emojiName,
    emojiCode: emojiName === undefined ? undefined : status.emojiCode,
    reactionType: emojiName === undefined ? undefined : status.reactionType,
    isAway,
  };
}

/** Returns the server's time in UNIX seconds, by which edit and delete limits and presence are measured. */
export function serverNow(state: Pick<AccountState, 'presences'>, clockMs: number): number {
  return clockMs / 1000 + state.presences.serverOffset;
}

/** Returns the ids of users who are typing, without the user and muted users. */
function typingUserIds(state: AccountState, conversation: Conversation): readonly number[] {
  const typing = state.typing.conversations.get(conversationKey(conversation));
  if (typing === undefined) return [];
  return [...typing.keys()].filter((id) => id !== state.self.userId && !state.mutedUsers.has(id));
}

/** Returns `Ann is typing…`, or an empty string. */
export function typingText(state: AccountState, conversation: Conversation): string {
  const names = typingUserIds(state, conversation).map((id) => userName(state, id));
  if (names.length > 2) return 'Several people are typing…';
  const [first, second] = names.sort(compareNames);
  if (first === undefined) return '';
  return second === undefined ? composed`${first} is typing…` : composed`${first} and ${second} are typing…`;
}

interface DropdownChoice {
  readonly value: string;
  readonly label: string;
}

/** Returns the choices of a dropdown in their order. */
export function dropdownChoices({fieldData = ''}: ProfileField): readonly DropdownChoice[] {
  return Object.entries(Object(parsedJson(fieldData)))
    .map(([value, choice]) => ({value, label: textIn(choice, 'text') ?? value, order: Number(textIn(choice, 'order'))}))
    .sort((a, b) => a.order - b.order)
    .map(({value, label}) => ({value, label}));
}

function textIn(value: unknown, name: string): string | undefined {
  const text: unknown = Reflect.get(Object(value), name);
  if (typeof text === 'string') return text;
  if (typeof text === 'number') return String(text);
  return undefined;
}

/** Returns the ids in the stored value of a field of people. */
export function userIdsIn(stored: string): readonly number[] {
  const ids = parsedJson(stored);
  return Array.isArray(ids) ? ids.filter((id): id is number => Number.isSafeInteger(id)) : [];
}

interface ExternalAccount {
  readonly title: string | undefined;
  readonly hint: string | undefined;
  readonly pattern: string | undefined;
}

/** Returns what an external account is: one that the server knows, or one with the field's own address pattern. */
export function externalAccount({realm}: AccountState, {fieldData = ''}: ProfileField): ExternalAccount {
  const data = parsedJson(fieldData);
  const known = realm.defaultExternalAccounts?.[textIn(data, 'subtype') ?? ''];
  const pattern = textIn(data, 'url_pattern') ?? known?.url_pattern;
  return {title: known?.text ?? known?.name, hint: known?.hint, pattern};
}

/** Whether users write Markdown in a field of this type. */
export function isMarkdown({type}: ProfileField): boolean {
  return type === profileFieldTypes.shortText || type === profileFieldTypes.paragraph;
}

/** Returns the address of an account elsewhere. */
export function externalUrl(account: AccountState, field: ProfileField, username: string): string | undefined {
  const url = externalAccount(account, field).pattern?.replace('%(username)s', () => encodeURIComponent(username));
  return url !== undefined && URL.canParse(url) && /^https?:/i.test(url) ? url : undefined;
}

/** Returns the value of a field without Markdown as text. */
export function profileValueText(account: AccountState, field: ProfileField, value: string): string {
  switch (field.type) {
    case profileFieldTypes.dropdown:
      return dropdownChoices(field).find((choice) => choice.value === value)?.label ?? value;
    case profileFieldTypes.user:
      return joined(userIdsIn(value).map((id) => distinctUserName(account, id)));
    case profileFieldTypes.externalAccount: {
      const url = externalUrl(account, field, value);
      return url === undefined ? value : composed`${value} (${url})`;
    }
    default:
      return value;
  }
}
