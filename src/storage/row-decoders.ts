import type {Deed} from '#state/account-store.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {DraftTarget, DraftVersion, LocalDraft} from '#state/model/draft.ts';
import type {OutboxEntry, OutboxStatus} from '#state/model/outbox.ts';
import type {Row} from './database.ts';

export type PreciousTable = 'outbox' | 'draft' | 'deed' | 'note' | 'session';

/** What a fresh file takes over from a damaged one. */
export const preciousColumns: Readonly<Record<PreciousTable, readonly string[]>> = {
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

export function isSoundRow(table: PreciousTable, row: Row): boolean {
  switch (table) {
    case 'outbox':
      return outboxEntryOf(row) !== undefined;
    case 'draft':
      return draftOf(row) !== undefined;
    case 'deed':
      return deedOf(row) !== undefined && isOptional(row.owner, isText);
    case 'note':
      return isText(row.name) && isText(row.body);
    case 'session':
      return sessionOf(row) !== undefined;
  }
}

export function outboxEntryOf(row: Row): OutboxEntry | undefined {
  const {id, position, content, status} = row;
  const conversation = conversationOf(parsed(row.conversation));
  const isSound =
    isText(id) && isNumber(position) && isText(content) && isNumber(row.created_at) && isStatus(status);
  if (!isSound || conversation === undefined) return undefined;
  return {
    id,
    order: position,
    conversation,
    content,
    createdAt: Number(row.created_at),
    status,
    owner: textOrNothing(row.owner),
    sentAt: numberOrNothing(row.sent_at),
    afterMessageId: numberOrNothing(row.after_message_id),
    messageId: numberOrNothing(row.message_id),
    problem: textOrNothing(row.problem),
    draftId: textOrNothing(row.draft_id),
  };
}

/** Always the same text for the same draft, so that texts can be compared. */
export function draftBody(draft: LocalDraft): string {
  const {serverId, target, content, editedAt, base, sent, status} = draft;
  return JSON.stringify({
    serverId,
    target: orderedTarget(target),
    content,
    editedAt,
    base: base && orderedVersion(base),
    sent: sent && orderedVersion(sent),
    status,
  });
}

export function draftOf(row: Row): LocalDraft | undefined {
  const body = parsed(row.body);
  const {id} = row;
  if (!isText(id) || !isRecord(body)) return undefined;
  const {serverId, content, editedAt, status} = body;
  const target = targetOf(body.target);
  const base = body.base === undefined ? undefined : versionOf(body.base);
  const isSound = isOptional(serverId, isNumber) && isText(content) && isNumber(editedAt);
  if (!isSound || target === undefined || !isDraftStatus(status)) return undefined;
  const sent = versionOf(body.sent);
  return {
    id,
    serverId: numberOrNothing(serverId),
    target,
    content,
    editedAt,
    base,
    ...(sent !== undefined && {sent}),
    status,
  };
}

export function deedOf(row: Row): Deed | undefined {
  const {id, body} = row;
  if (!isNumber(id) || !isText(body) || !isNumber(row.created_at)) return undefined;
  return {id, body, createdAt: row.created_at};
}

/** A program as the others know it. */
export interface Session {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly boot: string;
  readonly started: string;
  readonly heartbeat: number;
}

export function sessionOf(row: Row): Session | undefined {
  const {id, pid, host, boot, started, heartbeat} = row;
  const isSound =
    isText(id) && isNumber(pid) && isText(host) && isText(boot) && isText(started) && isNumber(heartbeat);
  return isSound ? {id, pid, host, boot, started, heartbeat} : undefined;
}

function conversationOf(value: unknown): Conversation | undefined {
  if (!isRecord(value)) return undefined;
  const {kind, channelId, topic, userIds} = value;
  if (kind === 'topic' && isNumber(channelId) && isText(topic)) return {kind, channelId, topic};
  if (kind === 'direct' && isNumbers(userIds)) return {kind, userIds};
  return undefined;
}

function targetOf(value: unknown): DraftTarget | undefined {
  if (isRecord(value) && value.kind === 'none' && isText(value.topic)) {
    return {kind: 'none', topic: value.topic};
  }
  return conversationOf(value);
}

/** A base that makes no sense is as good as none: the draft then counts as never seen by the server. */
function versionOf(value: unknown): DraftVersion | undefined {
  if (!isRecord(value)) return undefined;
  const {content, timestamp} = value;
  const target = targetOf(value.target);
  if (target === undefined || !isText(content) || !isNumber(timestamp)) return undefined;
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

export function parsed(text: unknown): unknown {
  if (!isText(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

export function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isNumber);
}

function isOptional(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || is(value);
}

function textOrNothing(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

function numberOrNothing(value: unknown): number | undefined {
  return isNumber(value) ? value : undefined;
}
