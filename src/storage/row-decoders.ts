import type {StoredPendingChange} from '#state/account-store.ts';
import {conversationFromJson} from '#state/model/conversation.ts';
import {type DraftTarget, type DraftVersion, draftTargetFromJson, type LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import type {StoredRow} from './database.ts';

export type UserDataTable = 'outbox' | 'draft' | 'deed' | 'note' | 'session';

/** The columns that a new file takes over from a damaged one. */
export const userDataColumns: Readonly<Record<UserDataTable, readonly string[]>> = {
  outbox: [
    'position',
    'id',
    'conversation',
    'content',
    'created_at',
    'status',
    'owner',
    'sent_at',
    'after_message_id',
    'message_id',
    'problem',
    'draft_id',
  ],
  draft: ['position', 'id', 'body'],
  deed: ['id', 'body', 'created_at', 'owner'],
  note: ['name', 'body'],
  session: ['id', 'pid', 'host', 'boot', 'started', 'heartbeat'],
};

export function isValidRow(table: UserDataTable, row: StoredRow): boolean {
  switch (table) {
    case 'outbox':
      return outboxEntryFromRow(row) !== undefined;
    case 'draft':
      return draftFromRow(row) !== undefined;
    case 'deed':
      return pendingChangeFromRow(row) !== undefined && isOptional(row.owner, isString);
    case 'note':
      return isString(row.name) && isString(row.body);
    case 'session':
      return processRecordFromRow(row) !== undefined;
  }
}

export function outboxEntryFromRow(row: StoredRow): OutboxEntry | undefined {
  const {id, position, content, status} = row;
  const conversation = conversationFromJson(parsedJson(row.conversation));
  const isValid =
    isString(id) && isNumber(position) && isString(content) && isNumber(row.created_at) && isStatus(status);
  if (!isValid || conversation === undefined) return undefined;
  return {
    id,
    order: position,
    conversation,
    content,
    createdAt: Number(row.created_at),
    status,
    owner: stringOrUndefined(row.owner),
    sentAt: numberOrUndefined(row.sent_at),
    afterMessageId: numberOrUndefined(row.after_message_id),
    messageId: numberOrUndefined(row.message_id),
    problem: stringOrUndefined(row.problem),
    draftId: stringOrUndefined(row.draft_id),
  };
}

/** Encodes a draft. Equal drafts have equal texts, so that texts can be compared. */
export function encodeDraft(draft: LocalDraft): string {
  const {serverId, target, content, editedAt, base, sent, formerBase, status} = draft;
  return JSON.stringify({
    serverId,
    target: orderedTarget(target),
    content,
    editedAt,
    base: base && orderedVersion(base),
    sent: sent && orderedVersion(sent),
    formerBase: formerBase && orderedVersion(formerBase),
    status,
  });
}

export function draftFromRow(row: StoredRow): LocalDraft | undefined {
  const body = parsedJson(row.body);
  const {id} = row;
  if (!isString(id) || !isRecord(body)) return undefined;
  const {serverId, content, editedAt, status} = body;
  const target = draftTargetFromJson(body.target);
  const base = body.base === undefined ? undefined : versionOf(body.base);
  const isValid = isOptional(serverId, isNumber) && isString(content) && isNumber(editedAt);
  if (!isValid || target === undefined || !isDraftStatus(status)) return undefined;
  const sent = versionOf(body.sent);
  const formerBase = versionOf(body.formerBase);
  return {
    id,
    serverId: numberOrUndefined(serverId),
    target,
    content,
    editedAt,
    base,
    ...(sent !== undefined && {sent}),
    ...(formerBase !== undefined && {formerBase}),
    status,
  };
}

export function pendingChangeFromRow(row: StoredRow): StoredPendingChange | undefined {
  const {id, body} = row;
  if (!isNumber(id) || !isString(body) || !isNumber(row.created_at)) return undefined;
  return {id, body, createdAt: row.created_at};
}

/** A process as others see it. */
export interface ProcessRecord {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly boot: string;
  readonly started: string;
  readonly heartbeat: number;
}

export function processRecordFromRow(row: StoredRow): ProcessRecord | undefined {
  const {id, pid, host, boot, started, heartbeat} = row;
  const isValid =
    isString(id) && isNumber(pid) && isString(host) && isString(boot) && isString(started) && isNumber(heartbeat);
  return isValid ? {id, pid, host, boot, started, heartbeat} : undefined;
}

/** Returns undefined for an invalid version: the draft then counts as never synced. */
function versionOf(value: unknown): DraftVersion | undefined {
  if (!isRecord(value)) return undefined;
  const {content, timestamp} = value;
  const target = draftTargetFromJson(value.target);
  if (target === undefined || !isString(content) || !isNumber(timestamp)) return undefined;
  return {target, content, timestamp};
}

function orderedVersion({target, content, timestamp}: DraftVersion): DraftVersion {
  return {target: orderedTarget(target), content, timestamp};
}

function orderedTarget(target: DraftTarget): DraftTarget {
  switch (target.kind) {
    case 'topic':
      return {kind: target.kind, channelId: target.channelId, topic: target.topic};
    case 'direct':
      return {kind: target.kind, userIds: target.userIds};
    case 'none':
      return {kind: target.kind, topic: target.topic};
  }
}

const statuses: readonly unknown[] = ['queued', 'sending', 'sent', 'unconfirmed', 'failed', 'held'];

function isStatus(value: unknown): value is OutboxStatus {
  return statuses.includes(value);
}

function isDraftStatus(value: unknown): value is LocalDraft['status'] {
  return value === 'clean' || value === 'dirty' || value === 'deleted';
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isNumberArray(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isNumber);
}

function isOptional(value: unknown, isValue: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || isValue(value);
}

function stringOrUndefined(value: unknown): string | undefined {
  return isString(value) ? value : undefined;
}

function numberOrUndefined(value: unknown): number | undefined {
  return isNumber(value) ? value : undefined;
}
