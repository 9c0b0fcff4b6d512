import {escapeHtml} from '#content/html-text.ts';
import {checkedChannelName} from '#server/actions/channels/create-channel.ts';
import type {ActionContext, ReadContext} from '#server/context.ts';
import {findChannel, findChannelByName} from '#server/db/channels.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {findUser, findUserByEmail, idOfDummyEmail} from '#server/db/users.ts';
import {badRequest} from '#server/http/errors.ts';
import {channelNotFoundError} from '#server/permissions/send-message.ts';
import {canAccessUser} from '#server/permissions/user-access.ts';
import {required} from '#server/required.ts';
import {canSeeEmail, hostOf} from '#server/views/user.ts';

/**
 * Returns the users with these ids except the actor, ascending and without duplicates. Throws if one does not exist, is
 * deactivated or is hidden from the actor.
 */
export function otherRecipients(act: ActionContext, actor: UserRow, ids: readonly number[]): UserRow[] {
  const others = [...new Set(ids)].filter((id) => id !== actor.id).sort((a, b) => a - b);
  return others.map((id) => {
    const user = required(findUser(act.db, id), `Invalid user ID ${id}`);
    if (!canAccessUser(act, actor, user)) {
      throw badRequest('You do not have permission to access some of the recipients.');
    }
    if (user.is_active === 0) throw badRequest(`'${user.delivery_email}' is no longer using Zulip.`);
    return user;
  });
}

/** Returns the ids that identify a direct conversation: those of the others, or the actor's own for notes to self. */
export function conversationUserIds(actor: UserRow, others: readonly UserRow[]): number[] {
  return others.length === 0 ? [actor.id] : others.map((other) => other.id);
}

/** Returns the channel that `to` names. `checkCanPost` refuses those that the sender may not see. */
export function resolveChannelRecipient(act: ReadContext, to: unknown): ChannelRow {
  const list: readonly unknown[] = Array.isArray(to) ? to : [to];
  if (list.length !== 1) throw badRequest('Expected exactly one channel');
  const [idOrName] = list;
  if (!isIdOrText(idOrName)) throw badRequest('Invalid data type for channel');
  const {db} = act.server;
  const name = typeof idOrName === 'number' ? undefined : checkedChannelName(idOrName);
  const channel = typeof idOrName === 'number' ? findChannel(db, idOrName) : findChannelByName(db, idOrName);
  if (channel !== undefined) return channel;
  throw channelNotFoundError(name === undefined ? {stream_id: Number(idOrName)} : {stream: escapeHtml(name)});
}

/** Returns the ids of the users that `to` names. */
export function resolveUserRecipients(act: ReadContext, sender: UserRow, to: unknown): number[] {
  const list: unknown = typeof to === 'string' ? to.split(',') : to;
  if (!Array.isArray(list) || (list.length > 0 && !isIdOrText(list[0]))) {
    throw badRequest('Invalid data type for recipients');
  }
  const named = list.filter((entry) => typeof entry !== 'string' || entry.trim() !== '');
  if (named.length === 0) throw badRequest('Message must have recipients');
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
  if (!isKnown || !canAccessUser(act, sender, user)) throw badRequest(`Invalid email '${email.trim()}'`);
  return user.id;
}
