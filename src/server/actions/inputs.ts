import {builtInEmoji} from '#content/emoji.ts';
import {escapeHtml} from '#content/html-text.ts';
import type {ActionContext, ReadContext, ServerAccess} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import {type ChannelRow, fold, type Ids, type UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {channelNotFoundError, knowsChannel} from '#server/permissions/send-message.ts';
import {canAccessUser, canSeeEmail, hostOf} from '#server/permissions/user-access.ts';
import {unknownUserName} from '#server/views/user.ts';
import {normalizedReactionType} from '#wire/objects/message.ts';

export const maxContentLength = 10_000;
export const maxTopicLength = 60;
const contentEllipsis = '\n[message truncated]';
const topicEllipsis = '...';

/** Returns a mention that notifies nobody. */
export function silentMention({full_name, id}: {readonly full_name: string; readonly id: number}): string {
  return `@_**${full_name}|${id}**`;
}

/** Returns a user as a text for the reader names them: one whom the reader may not see stays unknown. */
export function nameFor(act: ReadContext, reader: UserRow, user: UserRow | undefined): string {
  return user !== undefined && canAccessUser(act, reader, user) ? silentMention(user) : unknownUserName;
}

/** Returns a message's text as stored. A text that is too long is cut, not refused. */
export function cleanContent(input: string): string {
  const content = input.trimEnd().replace(/^\n+/, '');
  check(content !== '', 'Message must not be empty');
  check(!content.includes('\0'), 'Message must not contain null bytes');
  return truncateText(content, maxContentLength, contentEllipsis);
}

/** Returns a topic's name as stored; `stored` says which names stand for the empty topic. */
export function cleanTopic(act: ServerAccess, input: string, stored = storedTopicName): string {
  const topic = input.trim();
  if (forbiddenInNames.test(topic)) {
    const position = Array.from(topic).findIndex((character) => forbiddenInNames.test(character)) + 1;
    throw badRequest(`Invalid character in topic, at position ${position}!`);
  }
  return truncateText(stored(act, topic), maxTopicLength, topicEllipsis);
}

/** Returns the empty topic for the names by which older clients know it. */
export function storedTopicName(act: ServerAccess, topic: string): string {
  return topic === '(no topic)' ? '' : renamedTopicName(act, topic);
}

/** Returns the empty topic for the name that clients show. A topic may be renamed to `(no topic)`, which then is a name. */
export function renamedTopicName(act: ServerAccess, topic: string): string {
  return topic === organization(act).empty_topic_display_name ? '' : topic;
}

/** Cuts the text to at most `length` code points, ellipsis included. */
export function truncateText(text: string, length: number, ellipsis: string): string {
  // UTF-16 units are never fewer than code points.
  if (text.length <= length) return text;
  const points = Array.from(text);
  if (points.length <= length) return text;
  return points.slice(0, length - ellipsis.length).join('') + ellipsis;
}

/**
 * Characters that no name may contain: controls, lone surrogates, noncharacters, and the marks that change the direction
 * of the text around a name, with which it could look like another one. Zulip's servers allow these marks.
 */
export const forbiddenInNames = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u;

export function checkNameCharacters(name: string, what: string): void {
  const position = Array.from(name).findIndex((character) => forbiddenInNames.test(character));
  if (position >= 0) throw badRequest(`Invalid character in ${what}, at position ${position + 1}.`);
}

const maxChannelNameLength = 60;

/** Returns the trimmed channel name; throws if it is invalid. */
export function checkedChannelName(input: string): string {
  const name = input.trim();
  check(name !== '', "Channel name can't be empty.");
  if (Array.from(name).length > maxChannelNameLength) {
    throw badRequest(`Channel name too long (limit: ${maxChannelNameLength} characters).`);
  }
  checkNameCharacters(name, 'channel name');
  return name;
}

/** Returns the description as one line; throws if it is invalid. `subject` starts the error message. */
export function checkedChannelDescription(input: string, subject = 'Channel'): string {
  const description = input.replaceAll('\n', ' ');
  check(!description.includes('\0'), `${subject} description must not contain null bytes.`);
  return description;
}

/**
 * Returns the users with these ids except the actor, ascending and without duplicates. Throws if one does not exist, is
 * deactivated or is hidden from the actor.
 */
export function otherRecipients(act: ActionContext, actor: UserRow, ids: Ids): UserRow[] {
  const others = [...new Set(ids)].filter((id) => id !== actor.id).sort((a, b) => a - b);
  return others.map((id) => {
    const user = required(findUser(act.db, id), `Invalid user ID ${id}`);
    check(canAccessUser(act, actor, user), 'You do not have permission to access some of the recipients.');
    const shown = canSeeEmail(actor, user) ? user.delivery_email : user.full_name;
    check(user.is_active !== 0, `'${shown}' is no longer using Zulip.`);
    return user;
  });
}

/** Returns the ids that identify a direct conversation: those of the others, or the actor's own for notes to self. */
export function conversationUserIds(actor: UserRow, others: readonly UserRow[]): number[] {
  return others.length === 0 ? [actor.id] : others.map((other) => other.id);
}

/** Returns the channel that `to` names. The error is the same for an unknown and a hidden channel. */
export function resolveChannelRecipient(act: ReadContext, sender: UserRow, to: unknown): ChannelRow {
  const list: readonly unknown[] = Array.isArray(to) ? to : [to];
  check(list.length === 1, 'Expected exactly one channel');
  const [idOrName] = list;
  check(isIdOrText(idOrName), 'Invalid data type for channel');
  const {db} = act.server;
  const name = typeof idOrName === 'number' ? undefined : checkedChannelName(idOrName);
  const channel = typeof idOrName === 'number' ? findChannel(db, idOrName) : findChannelByName(db, idOrName);
  if (channel !== undefined && knowsChannel(act, sender, channel)) return channel;
  throw channelNotFoundError(name === undefined ? {stream_id: Number(idOrName)} : {stream: escapeHtml(name)});
}

/** Returns the ids of the users that `to` names. */
export function resolveUserRecipients(act: ReadContext, sender: UserRow, to: unknown): number[] {
  const list: unknown = typeof to === 'string' ? to.split(',') : to;
  check(Array.isArray(list) && !(list.length > 0 && !isIdOrText(list[0])), 'Invalid data type for recipients');
  const named = list.filter((entry) => typeof entry !== 'string' || entry.trim() !== '');
  check(named.length !== 0, 'Message must have recipients');
  if (!named.every(isIdOrText) || new Set(named.map((entry) => typeof entry)).size > 1) {
    throw badRequest('Recipient lists may contain emails or user IDs, but not both.');
  }
  return named.map((entry) => (typeof entry === 'number' ? entry : userIdOfEmail(act, sender, entry)));
}

function isIdOrText(value: unknown): value is number | string {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function userIdOfEmail(act: ReadContext, sender: UserRow, email: string): number {
  const {db} = act.server;
  const dummyId = idOfDummyEmail(email, hostOf(act.server));
  const user = dummyId === undefined ? findUserByEmail(db, email) : findUser(db, dummyId);
  // Sending to a hidden address must not reveal whether a user has it.
  const isKnown = user !== undefined && (dummyId !== undefined || canSeeEmail(sender, user));
  check(isKnown && canAccessUser(act, sender, user), `Invalid email '${email.trim()}'`);
  return user.id;
}

export interface EmojiReference {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

/** An emoji as a request names it: by name, by code, or by both. */
interface EmojiRequest {
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: string | undefined;
}

const extraEmoji = 'zulip';

/** Returns the emoji that a request refers to; throws if it does not exist or is deactivated. */
export function resolveEmoji(act: ServerAccess, request: EmojiRequest): EmojiReference {
  const emoji = requestedEmoji(act, request);
  checkEmoji(act, emoji);
  return emoji;
}

/** Completes a request by the emoji's name, without checking that code and type are those of an emoji. */
export function requestedEmoji(act: ServerAccess, request: EmojiRequest, {isNameNeeded = false} = {}): EmojiReference {
  const {emoji_name: name, emoji_code: code} = request;
  const type = request.reaction_type === undefined ? undefined : normalizedReactionType(request.reaction_type);
  if (name === undefined && code === undefined) {
    throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code');
  }
  if (code !== undefined && type !== undefined) return {emoji_name: name ?? '', emoji_code: code, reaction_type: type};
  const named = name === undefined ? undefined : emojiByName(act, name);
  if (named === undefined && (isNameNeeded || code === undefined)) throw badRequest(`Emoji '${name}' does not exist`);
  return {
    emoji_name: name ?? '',
    emoji_code: code ?? named?.emoji_code ?? '',
    reaction_type: type ?? named?.reaction_type ?? 'unicode_emoji',
  };
}

function emojiByName({server}: ServerAccess, name: string): EmojiReference | undefined {
  const sql = 'SELECT id FROM realm_emoji WHERE name = ? AND deactivated = 0 ORDER BY id DESC LIMIT 1';
  const custom = server.db.value(sql, name);
  if (custom !== undefined) return {emoji_name: name, emoji_code: String(custom), reaction_type: 'realm_emoji'};
  if (name === extraEmoji) return {emoji_name: name, emoji_code: extraEmoji, reaction_type: 'extra_emoji'};
  const code = builtInEmoji().code(name);
  return code === undefined ? undefined : {emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji'};
}

/** Throws unless name, code and type are those of one emoji that is not deactivated. */
function checkEmoji({server}: ServerAccess, emoji: EmojiReference): void {
  const {emoji_name: name, emoji_code: code, reaction_type: type} = emoji;
  if (type === 'realm_emoji') {
    const sql = 'SELECT name, deactivated FROM realm_emoji WHERE id = ?';
    const custom = /^\d{1,15}$/.test(code)
      ? server.db.get<{name: string; deactivated: number}>(sql, Number(code))
      : undefined;
    check(custom !== undefined, 'Invalid custom emoji.');
    check(custom.name === name, 'Invalid custom emoji name.');
    check(custom.deactivated !== 1, 'This custom emoji has been deactivated.');
    return;
  }
  if (type !== 'unicode_emoji' && type !== 'extra_emoji') throw badRequest('Invalid emoji type.');
  const isCode = type === 'extra_emoji' ? code === extraEmoji : builtInEmoji().name(code) !== undefined;
  check(isCode, 'Invalid emoji code.');
  const isName = type === 'extra_emoji' ? name === code : builtInEmoji().names(code).includes(name);
  check(isName, 'Invalid emoji name.');
}

const maxAddressLength = 254;
/** One `@`, no spaces or controls, no colon (it separates address and key in credentials), a plausible host. */
const addressPattern = /^[^\s@:<>()[\]\\,;"\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u;

/** Returns the trimmed address if an account may have it; throws an error with the reason otherwise. */
export function checkedEmail(act: ActionContext, input: string, owner: 'person' | 'bot' = 'person'): string {
  const email = input.trim();
  check(isEmailAddress(act, email), 'Enter a valid email address.');
  // A bot's address is at the server itself, so the rule about domains does not apply.
  if (owner === 'person' && !isDomainAllowed(act, email)) {
    check(!hasPlus(email), 'Email addresses containing + are not allowed.');
    throw badRequest(`Email '${email}' not allowed in this organization`);
  }
  check(findUserByEmail(act.db, email) === undefined, 'Email is already in use.');
  return email;
}

/** Returns why a person may not have the address, in the short words of lists; undefined if they may. */
export function addressProblem(act: ActionContext, email: string): string | undefined {
  if (!isEmailAddress(act, email)) return 'Invalid address.';
  if (isDomainAllowed(act, email)) return undefined;
  return hasPlus(email) ? 'Email addresses containing + are not allowed.' : 'Outside your domain.';
}

/** Returns why an address is not free; undefined if it is. */
export function accountProblem(act: ActionContext, email: string): string | undefined {
  const user = findUserByEmail(act.db, email);
  if (user === undefined) return undefined;
  return user.is_active === 1 ? 'Already has an account.' : 'Account has been deactivated.';
}

function hasPlus(email: string): boolean {
  return email.split('@')[0]?.includes('+') === true;
}

export function isEmailAddress(act: ServerAccess, email: string): boolean {
  if (!hasAddressForm(email)) return false;
  // A dummy address already belongs to a user.
  return idOfDummyEmail(email, hostOf(act.server)) === undefined;
}

export function hasAddressForm(email: string): boolean {
  return email.length <= maxAddressLength && addressPattern.test(email) && !email.includes('..');
}

function isDomainAllowed(act: ActionContext, email: string): boolean {
  if (!organization(act).emails_restricted_to_domains) return true;
  const [name = '', domain = ''] = fold(email).split('@');
  // `name+anything@` would let one person register several addresses.
  if (name.includes('+')) return false;
  const allowed = act.db.all<{domain: string; allow_subdomains: number}>(
    'SELECT domain, allow_subdomains FROM realm_domain',
  );
  return allowed.some(
    (row) => domain === fold(row.domain) || (row.allow_subdomains === 1 && domain.endsWith(`.${fold(row.domain)}`)),
  );
}

const maxNameLength = 100;
/** Characters that mean something inside a mention or a quoted address. */
const forbiddenInFullNames = /[*`\\>"@]/;
const invisible = /[\u200b\u2028\u2029\ufeff]/;
/** A mention writes `Name|17` to distinguish two users of the same name. */
const mentionSuffix = /\|\d+$/;

/**
 * Returns the trimmed display name; throws an error with the reason if it is invalid. The user `ownId` may already have
 * it.
 */
export function checkedFullName(act: ActionContext, input: string, ownId?: number): string {
  const name = input.trim();
  const problem = fullNameProblem(name);
  if (problem !== undefined) throw badRequest(problem);
  if (organization(act).require_unique_names && isTaken(act, name, ownId)) {
    throw badRequest('Unique names required in this organization.');
  }
  return name;
}

/** Returns why nobody may have this display name; undefined if somebody may. */
export function fullNameProblem(name: string): string | undefined {
  if (name === '') return 'Name must not be empty!';
  if (Array.from(name).length > maxNameLength) return 'Name too long!';
  if ([forbiddenInFullNames, invisible, forbiddenInNames].some((characters) => characters.test(name))) {
    return 'Invalid characters in name!';
  }
  return mentionSuffix.test(name) ? 'Invalid format!' : undefined;
}

function isTaken({db}: ActionContext, name: string, ownId: number | undefined): boolean {
  const sql = 'SELECT 1 FROM user WHERE name_key = ? AND id != ? AND is_system_bot = 0';
  return db.get(sql, fold(name), ownId ?? -1) !== undefined;
}
