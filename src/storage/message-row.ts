import type {Message} from '#state/model/message.ts';
import type {Row} from './database.ts';
import {isNumber, isNumbers, isRecord, isText, parsed} from './row-decoders.ts';

/** Undefined when it is not the shape of a message, as when an earlier Parley wrote it in another one. */
export function messageOf(row: Row): Message | undefined {
  const value = parsed(row.body);
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
    isText(conversationKey) &&
    isNumber(senderId) &&
    isText(senderName) &&
    isText(content) &&
    isNumber(timestamp) &&
    typeof isMe === 'boolean' &&
    isNumberOrNothing(editedAt) &&
    isNumberOrNothing(movedAt) &&
    isListOf(value.flags, isText) &&
    isListOf(value.reactions, isRecord) &&
    isListOf(value.submessages, isRecord)
  );
}

function hasChannelFields(value: Record<string, unknown>): boolean {
  return isNumber(value.channelId) && isText(value.topic) && isListOf(value.topicLinks, isRecord);
}

function hasDirectFields(value: Record<string, unknown>): boolean {
  return value.kind === 'direct' && isNumbers(value.userIds) && isRecord(value.names);
}

function isNumberOrNothing(value: unknown): boolean {
  return value === undefined || value === null || isNumber(value);
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}
