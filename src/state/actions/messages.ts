import type {FileSource} from '#api/multipart.ts';
import {fetchMessage} from '#state/fetches/fetch-messages.ts';
import type {Conversation} from '#state/model/conversation.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import type {SessionContext} from '#state/session-context.ts';
import {type Attachment, attachmentFromWire} from '#state/slices/attachments.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import {uploadFile as uploading} from '#wire/endpoints/personal.ts';
import type {Endpoints} from '#wire/endpoints.ts';
import {failureMessage, invalidCallFailure, isApiFailure, isRefusal} from '#wire/failure.ts';
import {resolvedPrefix, unresolvedTopic} from '#wire/objects/channel.ts';
import type {PropagateMode} from '#wire/objects/message.ts';
import {videoProviders} from '#wire/objects/organization.ts';

/** Deletes a message. It cannot be undone, so it is not shown optimistically. */
export async function deleteMessage(context: SessionContext, messageId: number): Promise<void> {
  await context.api.deleteMessage({message_id: messageId});
}

/**
 * Votes in a poll or ticks a task; `content` is the widget's JSON. In a channel without a subscription no event reports it,
 * so the message is fetched again.
 */
export async function sendSubmessage(context: SessionContext, messageId: number, content: object): Promise<void> {
  const {api, cache} = context;
  await api.sendSubmessage({message_id: messageId, msg_type: 'widget', content: JSON.stringify(content)});
  const message = cache.state.messages.byId.get(messageId);
  if (message?.kind === 'channel' && !isSubscribed(cache.state, message.channelId)) {
    await fetchMessage(context, messageId);
  }
}

interface MessageEdit {
  /** The source that was shown when the user began editing. */
  readonly before: string;
  readonly after: string;
}

type EditOutcome = EditSuccess | EditConflict;

interface EditSuccess {
  readonly kind: 'edited';
  /** Files that no message links to any more: they can be deleted. */
  readonly detached: readonly Attachment[];
}

/** Another user changed the message meanwhile. Nothing was overwritten; the caller still has the text. */
interface EditConflict {
  readonly kind: 'conflict';
  /** The current content; undefined when it could not be fetched. */
  readonly theirs: string | undefined;
  /** A sentence for the user. */
  readonly problem: string;
}

const conflictProblem =
  'Someone else edited this message while you were editing it. Nothing was overwritten, and your text is kept.';

/**
 * Edits a message. Rejects with other failures; the message is then unchanged, unless `carriedOut` is
 * `maybe`.
 */
export async function editMessage(context: SessionContext, messageId: number, edit: MessageEdit): Promise<EditOutcome> {
  const {before, after} = edit;
  if (before === after) return {kind: 'edited', detached: []};
  const {api} = context;
  try {
    const args = {message_id: messageId, content: after, prev_content_sha256: await sha256(storedText(before))};
    const {detached_uploads: detached = []} = await api.editMessage(args);
    return {kind: 'edited', detached: detached.map(attachmentFromWire)};
  } catch (error) {
    if (!isRefusal(error, 'EXPECTATION_MISMATCH')) throw error;
    const theirs = await fetchContent(context, messageId);
    if (theirs?.trim() === after.trim()) return {kind: 'edited', detached: []};
    return {kind: 'conflict', theirs, problem: conflictProblem};
  }
}

/** Returns the text as servers store it. The event that says so may come after the response to the edit, and after its undo. */
function storedText(text: string): string {
  return text.trimEnd().replace(/^\n+/, '');
}

/** Fetches the content from the server, since the event may not have arrived yet. */
async function fetchContent({api}: SessionContext, messageId: number): Promise<string | undefined> {
  try {
    const args = {message_id: messageId, apply_markdown: false};
    return (await api.getMessage(args)).message.content;
  } catch (error) {
    if (isApiFailure(error)) return undefined;
    throw error;
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface MoveRequest {
  /** One of the messages to move; with `change_all`, any message of the topic. */
  readonly messageId: number;
  readonly channelId?: number;
  readonly topic?: string;
  readonly mode: PropagateMode;
  readonly notifyOldTopic?: boolean;
  readonly notifyNewTopic?: boolean;
}

type MoveOutcome = {readonly kind: 'moved'} | PartialMoveOffer;

/** Some messages are too old for this user to move, so none was moved; the newer ones could be. */
interface PartialMoveOffer {
  readonly kind: 'partOnly';
  readonly firstMovableId: number;
  readonly movable: number;
  readonly total: number;
  /** A sentence for the user. */
  readonly problem: string;
  /** A request for `moveMessages` that moves what can be moved. */
  readonly partialMove: MoveRequest;
}

/**
 * Moves messages. There is no exact undo: moved messages cannot be distinguished from those that were already there.
 */
export async function moveMessages(context: SessionContext, move: MoveRequest): Promise<MoveOutcome> {
  const {api} = context;
  try {
    await api.editMessage({
      message_id: move.messageId,
      propagate_mode: move.mode,
      ...(move.channelId !== undefined && {stream_id: move.channelId}),
      ...(move.topic !== undefined && {topic: move.topic}),
      send_notification_to_old_thread: move.notifyOldTopic ?? false,
      send_notification_to_new_thread: move.notifyNewTopic ?? true,
    });
    return {kind: 'moved'};
  } catch (error) {
    const offer = partialMoveOffer(move, error);
    if (offer === undefined) throw error;
    return offer;
  }
}

function partialMoveOffer(move: MoveRequest, error: unknown): PartialMoveOffer | undefined {
  if (!isRefusal(error, 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED')) return undefined;
  const {
    first_message_id_allowed_to_move: first,
    total_messages_allowed_to_move: movable,
    total_messages_in_topic: total,
  } = error.body ?? {};
  if (first === undefined || movable === undefined || movable === 0 || total === undefined) return undefined;
  return {
    kind: 'partOnly',
    firstMovableId: first,
    movable,
    total,
    problem: failureMessage(error),
    partialMove: {...move, messageId: first, mode: 'change_later'},
  };
}

/** Resolves or unresolves a topic; `messageId` is any message of it. */
export async function updateTopicResolved(
  context: SessionContext,
  {messageId, topic, isResolved}: {messageId: number; topic: string; isResolved: boolean},
): Promise<MoveOutcome> {
  const unresolved = unresolvedTopic(topic);
  const renamed = isResolved ? `${resolvedPrefix}${unresolved}` : unresolved;
  if (renamed === topic) return {kind: 'moved'};
  return moveMessages(context, {messageId, topic: renamed, mode: 'change_all'});
}

/** Returns the recipient arguments of requests. Messages to oneself name the user. */
function recipientArgs(conversation: Conversation, selfId: number) {
  if (conversation.kind === 'topic') {
    return {type: 'channel' as const, to: conversation.channelId, topic: conversation.topic};
  }
  const {userIds} = conversation;
  return {type: 'direct' as const, to: userIds.length === 0 ? [selfId] : [...userIds]};
}

/** Schedules a message and returns its id. `at` is in UNIX seconds, as everywhere below. */
export async function scheduleMessage(
  {api, cache}: SessionContext,
  message: {readonly conversation: Conversation; readonly content: string; readonly at: number},
): Promise<number> {
  const response = await api.createScheduledMessage({
    ...recipientArgs(message.conversation, cache.state.self.userId),
    content: message.content,
    scheduled_delivery_timestamp: message.at,
    read_by_sender: true,
  });
  return response.scheduled_message_id;
}

export interface ScheduleChange {
  readonly conversation?: Conversation;
  readonly content?: string;
  readonly at?: number;
}

export async function rescheduleMessage(
  {api, cache}: SessionContext,
  id: number,
  change: ScheduleChange,
): Promise<void> {
  const {conversation} = change;
  await api.editScheduledMessage({
    scheduled_message_id: id,
    ...(conversation !== undefined && recipientArgs(conversation, cache.state.self.userId)),
    ...(change.content !== undefined && {content: change.content}),
    ...(change.at !== undefined && {scheduled_delivery_timestamp: change.at}),
  });
}

/** Returns the id of the reminder. */
export async function createReminder(
  {api}: SessionContext,
  reminder: {readonly messageId: number; readonly at: number; readonly note?: string},
): Promise<number> {
  const response = await api.createReminder({
    message_id: reminder.messageId,
    scheduled_delivery_timestamp: reminder.at,
    ...(reminder.note !== undefined && reminder.note !== '' && {note: reminder.note}),
  });
  return response.reminder_id;
}

/** Returns the id of the new snippet. */
export async function saveSnippet({api}: SessionContext, title: string, content: string): Promise<number> {
  return (await api.createSnippet({title, content})).saved_snippet_id;
}

interface FileUpload {
  readonly file: FileSource;
  readonly onProgress?: (sent: number, size: number) => void;
  /** Cancels this upload alone. */
  readonly signal?: AbortSignal;
}

type NamedSize = Pick<FileSource, 'name' | 'size'>;

export interface UploadResult {
  readonly url: string;
  readonly filename: string;
  /** The link to put into a message. */
  readonly markdown: string;
}

/** Returns why a file cannot be uploaded: it is empty, or larger than the server's limit. */
export function uploadProblem({name, size}: NamedSize, limitMib: number | undefined): string | undefined {
  if (size === 0) return composed`${name} is empty.`;
  if (limitMib === undefined || size <= limitMib * 1024 * 1024) return undefined;
  return composed`${name} is larger than this server’s limit of ${limitMib} MiB.`;
}

/** Uploads a file. Rejects with the signal's reason when cancelled. */
export async function uploadFile(
  context: Pick<SessionContext, 'api' | 'cache' | 'signal'>,
  upload: FileUpload,
): Promise<UploadResult> {
  const problem = uploadProblem(upload.file, context.cache.state.server.maxFileUploadSizeMib);
  if (problem !== undefined) throw invalidCallFailure(uploading.id, problem);
  const signal = upload.signal === undefined ? context.signal : AbortSignal.any([context.signal, upload.signal]);
  const onProgress = upload.onProgress;
  const {url, filename} = await context.api.uploadFile(
    {file: upload.file},
    {signal, ...(onProgress !== undefined && {onProgress})},
  );
  return {url, filename, markdown: `[${linkText(filename)}](${url})`};
}

/** Removes brackets and line breaks, which would end the text of a link. */
function linkText(filename: string): string {
  const text = filename.replaceAll(/[[\]\p{Cc}\u2028\u2029]/gu, '').trim();
  return text === '' ? 'file' : text;
}

interface VideoCallOptions {
  readonly name: string;
  readonly audioOnly?: boolean;
}

/** The URL of a new call, or of the page where the user first has to connect an account of the provider. */
export type VideoCallOutcome =
  | {readonly kind: 'call'; readonly url: string}
  | {readonly kind: 'connect'; readonly url: string};

export async function startVideoCall(context: SessionContext, call: VideoCallOptions): Promise<VideoCallOutcome> {
  const {api, cache, random} = context;
  const {realm, server} = cache.state;
  const args = {
    realm: {
      realm_video_chat_provider: realm.videoChatProvider,
      realm_jitsi_server_url: realm.jitsiServerUrl,
      server_jitsi_server_url: server.serverJitsiServerUrl,
    },
    ...call,
    random,
  };
  try {
    const {url} = await api.startVideoCall(args);
    return {kind: 'call', url};
  } catch (error) {
    if (!isRefusal(error, 'INVALID_VIDEO_CALL_PROVIDER_TOKEN')) throw error;
    const url = api.connection.webUrl(`/calls/${providerSegment(cache.state)}/register`);
    if (url === undefined) throw error;
    return {kind: 'connect', url};
  }
}

/**
 * Returns the path of a provider that asks each user for permission; one has two names, of which the server
 * reported the one it uses.
 */
export function providerSegment({realm, videoTokens}: Pick<AccountState, 'realm' | 'videoTokens'>): string {
  if (realm.videoChatProvider !== videoProviders.conference) return 'zoom';
  return 'webex' in videoTokens && !('conference' in videoTokens) ? 'webex' : 'conference';
}

export function deleteAttachment({api}: SessionContext, id: number) {
  return api.deleteAttachment({attachment_id: id});
}

export function deleteScheduledMessage({api}: SessionContext, id: number) {
  return api.deleteScheduledMessage({scheduled_message_id: id});
}

export function deleteReminder({api}: SessionContext, id: number) {
  return api.deleteReminder({reminder_id: id});
}

export function reportMessage({api}: SessionContext, report: ArgsOf<Endpoints['reportMessage']>) {
  return api.reportMessage(report);
}

/**
 * Returns an address that a browser can open. An upload needs credentials, so the server first provides a temporary URL
 * without them.
 */
export async function openableUrl({api, signal}: SessionContext, url: string): Promise<string> {
  const [, realmId, path] = /^\/user_uploads\/(\d+)\/(.+)$/s.exec(url) ?? [];
  if (realmId === undefined || path === undefined) return api.connection.webUrl(url) ?? url;
  const args = {realm_id: Number(realmId), filename: decodedPath(path)};
  const {url: temporary} = await api.getTemporaryUrl(args, {signal});
  return api.connection.webUrl(temporary) ?? temporary;
}

/** Decodes the path: paths in messages are encoded, and the request encodes them again. */
function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
