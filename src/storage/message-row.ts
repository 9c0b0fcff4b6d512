import type {Message} from '#state/model/message.ts';
import type {StoredRow} from './database.ts';
import {isNumber, isNumberArray, isRecord, isString, parseJson} from './row-decoders.ts';

/** Undefined when it is not the shape of a message, as when an earlier Parley wrote it in another one. */
export function messageFromRow(row: StoredRow): Message | undefined {
  const value = parseJson(row.body);
  if (!isRecord(value) || value.id !== row.id || !hasCommonFields(value)) return undefined;
  if (value.kind === 'channel' ? !hasChannelFields(value) : !hasDirectFields(value)) return undefined;
  // JSON leaves out what is undefined; messages have all their fields.
  value.editedAt ??= undefined;
  value.movedAt ??= undefined;
  return value as unknown as Message; // Every field has been looked at.
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
    isNumberOrNothing(editedAt) &&
    isNumberOrNothing(movedAt) &&
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

function isNumberOrNothing(value: unknown): boolean {
  return value === undefined || value === null || isNumber(value);
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}
