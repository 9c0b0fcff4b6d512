import type {Message} from '#state/model/message.ts';
import type {StoredRow} from './database.ts';
import {isNumber, isNumberArray, isRecord, isString, parseJson} from './row-decoders.ts';

/**
 * Returns undefined when the row is not a valid message, for example written by an earlier version in another format.
 */
export function messageFromRow(row: StoredRow): Message | undefined {
  const value = parseJson(row.body);
  if (!isRecord(value) || value.id !== row.id || !hasCommonFields(value)) return undefined;
  if (value.kind === 'channel' ? !hasChannelFields(value) : !hasDirectFields(value)) return undefined;
  // JSON omits undefined fields; messages have all of them.
  value.editedAt ??= undefined;
  value.movedAt ??= undefined;
  if (!isFacts(value.facts)) delete value.facts;
  return value as unknown as Message; // Every field is checked above.
}

function hasCommonFields(value: Record<string, unknown>): boolean {
  const {conversationKey, senderId, senderName, content, timestamp, isMe, editedAt, movedAt} = value;
  return (
    isString(conversationKey) &&
    isNumber(senderId) &&
    isString(senderName) &&
    isString(content) &&
    isNumber(timestamp) &&
    typeof isMe === 'boolean' &&
    isOptionalNumber(editedAt) &&
    isOptionalNumber(movedAt) &&
    isListOf(value.flags, isString) &&
    isListOf(value.reactions, isRecord) &&
    isListOf(value.submessages, isRecord)
  );
}

function hasChannelFields(value: Record<string, unknown>): boolean {
  return isNumber(value.channelId) && isString(value.topic) && isListOf(value.topicLinks, isRecord);
}

function hasDirectFields(value: Record<string, unknown>): boolean {
  return value.kind === 'direct' && isNumberArray(value.userIds) && isRecord(value.names);
}

function isFacts(value: unknown): boolean {
  return (
    isRecord(value) &&
    [value.silentUserIds, value.previews].every((list) => list === undefined || Array.isArray(list)) &&
    [value.users, value.groups, value.channels, value.topics, value.images, value.links].every(
      (record) => record === undefined || isRecord(record),
    )
  );
}

function isOptionalNumber(value: unknown): boolean {
  return value === undefined || value === null || isNumber(value);
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}
