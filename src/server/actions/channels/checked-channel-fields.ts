import {
  type ChannelUpdate,
  emitChannelDelete,
  emitChannelsVisible,
  emitChannelUpdate,
} from '#server/actions/events/channel-events.ts';
import {checkNameCharacters} from '#server/actions/inputs/message-text.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {findChannel} from '#server/db/channels.ts';
import {findFolder} from '#server/db/organization-items.ts';
import type {ChannelRow, UserRow} from '#server/db/rows.ts';
import {badRequest, invalidValue, unauthorizedPrincipal} from '#server/http/errors.ts';
import {audienceIds, channelAudience} from '#server/permissions/channel.ts';
import {hasMemberPermission, isAdmin, isOwner, organization} from '#server/permissions/has-permission.ts';
import {emptyTopicName} from '#server/permissions/send-message.ts';
import {topicsPolicies} from '#wire/objects/channel.ts';

const maxNameLength = 60;

/** Returns the trimmed channel name; throws if it is invalid. */
export function checkedChannelName(input: string): string {
  const name = input.trim();
  if (name === '') throw badRequest("Channel name can't be empty.");
  if (Array.from(name).length > maxNameLength) {
    throw badRequest(`Channel name too long (limit: ${maxNameLength} characters).`);
  }
  checkNameCharacters(name, 'channel name');
  return name;
}

/** Returns the description as one line; throws if it is invalid. `subject` starts the error message. */
export function checkedChannelDescription(input: string, subject = 'Channel'): string {
  const description = input.replaceAll('\n', ' ');
  if (description.includes('\0')) throw badRequest(`${subject} description must not contain null bytes.`);
  return description;
}

/**
 * Returns the policy if the actor may set it and, for an existing channel, its messages comply with it; throws
 * otherwise.
 */
export function checkedTopicsPolicy(act: RequestContext, policy: string, channelId?: number): string {
  const {actor} = act;
  if (!topicsPolicies.some((known) => known === policy)) throw badRequest('Invalid topics_policy');
  const maySet =
    policy === 'inherit' ||
    isAdmin(actor) ||
    hasMemberPermission(act, actor, organization(act).can_set_topics_policy_group);
  if (!maySet) throw badRequest('Insufficient permission');
  const namedTopic = `SELECT 1 FROM message WHERE channel_id = ? AND topic_key > '' LIMIT 1`;
  if (policy === 'empty_topic_only' && channelId !== undefined && act.db.get(namedTopic, channelId) !== undefined) {
    throw badRequest(
      'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.',
      emptyTopicName(act),
    );
  }
  return policy;
}

/** Returns days, -1 for unlimited, or null for the organization's default, which a new channel has without asking. */
export function checkedRetentionDays(actor: UserRow, input: number | string, isNew: boolean): number | null {
  const days = isNew ? retentionDays(input) : undefined;
  if (days !== null && !isOwner(actor)) throw unauthorizedPrincipal('Must be an organization owner');
  return days === undefined ? retentionDays(input) : days;
}

export function retentionDays(input: number | string): number | null {
  if (input === 'realm_default') return null;
  if (input === 'unlimited') return -1;
  if (typeof input === 'string' || input <= 0) throw invalidValue('message_retention_days', input);
  return input;
}

export function checkedFolderId({db}: ActionContext, folderId: number | null): number | null {
  if (folderId !== null && findFolder(db, folderId) === undefined) {
    throw badRequest('Invalid channel folder ID');
  }
  return folderId;
}

export type ChannelColumns = Partial<Omit<ChannelRow, 'id'>>;

/**
 * Writes columns of a channel and emits events: users who see the channel before and after get the updates, users for
 * whom this change shows or hides it get it created or deleted.
 */
export function writeChannelChanges(
  act: ActionContext,
  channel: ChannelRow,
  columns: ChannelColumns,
  updates: readonly ChannelUpdate[],
): ChannelRow {
  const before = channelAudience(act, channel);
  act.db.updateRow('channel', channel.id, columns);
  const changed = findChannel(act.db, channel.id) ?? channel;
  const after = channelAudience(act, changed);
  if (before === 'everyone' && after === 'everyone') {
    for (const update of updates) emitChannelUpdate(act, channel, update, 'everyone');
    return changed;
  }
  const viewersBefore = audienceIds(act, before);
  const viewersAfter = audienceIds(act, after);
  const gained = viewersAfter.difference(viewersBefore);
  if (gained.size > 0) emitChannelsVisible(act, [changed], gained);
  const lost = viewersBefore.difference(viewersAfter);
  if (lost.size > 0) emitChannelDelete(act, [channel], lost);
  const viewersThroughout = viewersBefore.intersection(viewersAfter);
  for (const update of updates) emitChannelUpdate(act, channel, update, viewersThroughout);
  return changed;
}
