import {createWriteStream} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {buffer} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';
import {isResolutionNotice} from '#server/actions/messages/edit-message.ts';
import {avatarPath} from '#server/actions/users/avatars.ts';
import type {Database} from '#server/db/database.ts';
import {type AttachmentRow, type CustomEmojiRow, linkingMessageIds} from '#server/db/organization-items.ts';
import {Flag, type MessageRow, Trait, type UserRow} from '#server/db/rows.ts';
import {isUnreadByRule} from '#server/db/unread-messages.ts';
import {findUser} from '#server/db/users.ts';
import {organizationSettings} from '#server/organization/organization-settings.ts';
import {rewriteHtml, rewriteText} from '#server/transfer/references.ts';
import {isAnimated} from '#server/uploads/image.ts';
import {realmId} from '#server/uploads/upload-path.ts';
import {type StoredEdit, storedEdits} from '#server/views/message-details.ts';
import {
  directSubject,
  type ExportContext,
  type ExportRow,
  JsonFile,
  jsonText,
  type WrittenRow,
  writtenRow,
} from './export-context.ts';
import {exportedFileName, exportedPath} from './exported-path.ts';
import {emojiAuthor, uploadedImages} from './organization-tables.ts';

/** The messages in one file, as in the exports of Zulip's servers, which read each file whole. */
const messagesPerFile = 1000;

export interface MessageCounts {
  messages: number;
  userMessages: number;
}

/** A message with its HTML as it was sent, if names or links are in it. */
type SentMessage = MessageRow & {readonly html: string | null} & Record<string, unknown>;

/** Writes the messages, with the flags of those who received them: all of them from the message `completeFrom` on. */
export async function writeMessages(
  context: ExportContext,
  directory: string,
  completeFrom: number,
  onProgress: (counts: MessageCounts) => void,
): Promise<MessageCounts> {
  const {db} = context.server;
  const received = receivedMessages(context);
  const counts = {messages: 0, userMessages: 0};
  let lastId = 0;
  for (let number = 1; ; number++) {
    const sql = `SELECT m.*, h.html FROM exported_message AS m LEFT JOIN message_html AS h ON h.message_id = m.id
       WHERE m.id > ? ORDER BY m.id LIMIT ${messagesPerFile}`;
    const rows = db.all<SentMessage>(sql, lastId);
    if (rows.length === 0) return counts;
    lastId = rows.at(-1)?.id ?? 0;
    const file = await JsonFile.create(join(directory, `messages-${String(number).padStart(6, '0')}.json`));
    await file.addTable(
      'message',
      rows.map((row) => messageRow(row, context)),
    );
    file.startList('zerver_usermessage');
    for (const row of context.scope === 'public' ? [] : rows) {
      const {json, count} = received(row, row.id >= completeFrom);
      counts.userMessages += count;
      if (count > 0) await file.add(json);
    }
    await file.close();
    counts.messages += rows.length;
    onProgress(counts);
  }
}

function messageRow(row: SentMessage, context: ExportContext): WrittenRow {
  const isDirect = row.channel_id === null;
  const {content, futureContent, html} = exportedText(row, context);
  const edits = storedEdits(row).map((edit) => exportedEdit(row, edit, context));
  const own = {
    id: row.id,
    sender: row.sender_id,
    recipient: isDirect ? Number(row.dm_id) * 2 + 1 : Number(row.channel_id) * 2,
    realm: realmId,
    subject: isDirect ? directSubject : row.topic,
    is_channel_message: !isDirect,
    type: isResolutionNotice(context.server, row) ? 2 : 1,
    content,
    rendered_content: html,
    rendered_content_version: html === null ? null : 1,
    date_sent: row.sent_at,
    sending_client: context.clientId(row.client),
    ...editColumns(edits),
    has_attachment: (row.traits & Trait.attachment) !== 0,
    has_image: (row.traits & Trait.image) !== 0,
    has_link: (row.traits & Trait.link) !== 0,
  };
  return writtenRow(own, {
    ...own,
    content: futureContent,
    rendered_content: html === null ? null : context.futureHtml(html, true),
    ...editColumns(edits.flatMap((edit) => futureEdit(edit, context))),
  });
}

function editColumns(edits: readonly StoredEdit[]) {
  return {
    last_edit_time: edits[0]?.timestamp ?? null,
    edit_history: edits.length === 0 ? null : jsonText(edits),
  };
}

function exportedEdit(row: MessageRow, edit: StoredEdit, {server, ownIds}: ExportContext): StoredEdit {
  const {prev_content: before} = edit;
  const html = () =>
    edit.prev_rendered_content ?? server.renderer.renderUncached(before ?? '', findUser(server.db, row.sender_id));
  return {
    ...edit,
    user_id: edit.user_id ?? row.sender_id,
    ...(before === undefined
      ? {}
      : {
          prev_content: rewriteText(before, ownIds),
          prev_rendered_content: html(),
          prev_rendered_content_version: 1,
        }),
  };
}

/** Returns an edit with the ids of the other server; none if it is a move between channels whose ids are not known. */
function futureEdit({prev_stream, stream, ...edit}: StoredEdit, context: ExportContext): StoredEdit[] {
  const ids = [prev_stream, stream].map((id) => context.futureIds.channel(id ?? 0));
  const [from, to] = ids.map((id) => (typeof id === 'number' ? id : undefined));
  const isKnown = from !== undefined && to !== undefined;
  if (prev_stream !== undefined && !isKnown) context.noteChange('moves between channels in the history (left out)');
  const {prev_content: before, prev_rendered_content: html, prev_topic: topic} = edit;
  if (!isKnown && before === undefined && topic === undefined) return [];
  const texts = {
    prev_content: context.futureText(before ?? ''),
    prev_rendered_content: context.futureHtml(html ?? '', true),
  };
  return [{...edit, ...(before === undefined ? {} : texts), ...(isKnown ? {prev_stream: from, stream: to} : {})}];
}

/** A text with more characters, or more of those that can be markup, takes a Zulip server long to render. */
const maxQuickLength = 4000;
const maxQuickMarks = 60;
const mark = /[:*_`~[\]<>@#$\\|]|\p{Extended_Pictographic}/gu;

/**
 * Returns whether the import could give a message up: a Zulip server stops rendering after five seconds, and then fails
 * every request for a page with that message. The time grows with the square of the number of emoji or links.
 */
function mayRenderSlowly(content: string): boolean {
  return content.length > maxQuickLength || (content.match(mark)?.length ?? 0) > maxQuickMarks;
}

/**
 * Returns the Markdown of a message, as it is and with the ids of the other server, and its HTML if that server could not
 * render it, or not in time: texts of system bots, uploaded audio, mentions of people whose name others have too, and what
 * had another name, or none, when the message was sent.
 */
function exportedText(row: SentMessage, context: ExportContext) {
  const {db, renderer} = context.server;
  const sender = findUser(db, row.sender_id);
  const content = rewriteText(row.content, context.ownIds);
  context.hasLostMention = false;
  const futureContent = rewriteText(content, context.futureIds);
  const needsHtml =
    context.hasLostMention ||
    sender?.is_system_bot === 1 ||
    mayRenderSlowly(content) ||
    ((row.traits & Trait.attachment) !== 0 &&
      content.includes('![') &&
      renderer.messageHtml(row).includes('<audio ')) ||
    (row.html !== null && namesIn(row.html) !== namesIn(renderer.renderUncached(row.content, sender)));
  return {content, futureContent, html: needsHtml ? rewriteHtml(renderer.messageHtml(row), context.ownIds) : null};
}

/** Whom and what HTML names. Links into conversations are not among them: they end in the newest message there. */
const named = /class="user-[^>]*>[^<]*|data-stream-id="[^"]*"|href="(?!\/?#narrow)[^"]*"|<img alt=":[^"]*"/g;

function namesIn(html: string): string {
  return (html.match(named) ?? []).join();
}

/**
 * The numbers of a receiver in a list: the columns of a time during which a user received the messages of a channel, and of
 * the user's subscription. The last one is infinite while the user is subscribed.
 */
const stride = 5;
/** Numbers in memory at once: some 80 megabytes. */
const maxCached = 10_000_000;

/** The bit of a direct message, and of others that differ from ours. */
const direct = 1 << 11;
/** The bits from starred to topic wildcard are the same. */
const sameBits = 62;

/** Returns the bits of a user's flags on Zulip's servers. */
function exportedFlags(flags: number): number {
  const isRead = (flags & Flag.unread) === 0 ? 1 : 0;
  const alertWord = (flags & Flag.alertWord) === 0 ? 0 : 1 << 9;
  const historical = (flags & Flag.historical) === 0 ? 0 : 1 << 10;
  return isRead | (flags & sameBits) | alertWord | historical;
}

/**
 * Returns a function that lists who received a message, with their flags: rows that this server does not store for every
 * receiver. It returns their JSON, with commas between them, and their number. Without `isComplete`, those are left out who
 * have read the message and will find it in its channel all the same.
 */
function receivedMessages(context: ExportContext) {
  const {db} = context.server;
  /** The receivers by channel, packed: there may be millions. */
  const channels = new Map<number, Float64Array>();
  let cached = 0;
  /** The channels in which people may read only what they received. */
  const protectedIds = new Set(db.pluck('SELECT id FROM channel WHERE history_public_to_subscribers = 0'));
  const systemBotIds = new Set(db.pluck('SELECT id FROM user WHERE is_system_bot = 1'));

  function hasReceived(userId: number, {id, channel_id}: MessageRow): boolean {
    const sql = `SELECT 1 FROM subscription_period
      WHERE user_id = ? AND channel_id = ? AND since_id <= ? AND (until_id IS NULL OR until_id > ?)`;
    return db.get(sql, userId, channel_id, id, id) !== undefined;
  }

  function receivers(channelId: number): Float64Array {
    const known = channels.get(channelId);
    if (known !== undefined) return known;
    const sql = `SELECT p.user_id, s.active, s.unread_since, p.since_id, p.until_id
       FROM subscription_period AS p JOIN subscription AS s ON s.user_id = p.user_id AND s.channel_id = p.channel_id
       WHERE p.channel_id = ?`;
    const rows = db.all<Record<string, number | null>>(sql, channelId);
    const list = Float64Array.from(rows.flatMap((row) => Object.values(row).map((value) => value ?? Infinity)));
    if (cached + list.length > maxCached) {
      channels.clear();
      cached = 0;
    }
    channels.set(channelId, list);
    cached += list.length;
    return list;
  }

  return (message: MessageRow, isComplete: boolean): {json: string; count: number} => {
    const select = 'SELECT user_id, flags FROM user_message WHERE message_id = ?';
    const rows = db.all<{user_id: number; flags: number}>(select, message.id);
    const flagged = new Map(rows.map(({user_id, flags}) => [user_id, flags]));
    let json = '';
    let count = 0;
    const add = (userId: number, mask: number) => {
      if (systemBotIds.has(userId) || !context.hasPrivateDataOf(userId)) return;
      json += `${count === 0 ? '' : ','}{"user_profile":${userId},"message":${message.id},"flags_mask":${mask}}`;
      count++;
    };
    if (message.channel_id === null) {
      const members = db.pluck('SELECT user_id FROM dm_member WHERE dm_id = ?', message.dm_id);
      for (const id of members) add(id, exportedFlags(flagged.get(id) ?? 0) | direct);
      return {json, count};
    }
    for (const [id, flags] of flagged) {
      // A message that was marked unread counts as received.
      const isReceived = (flags & Flag.unread) !== 0 || hasReceived(id, message);
      add(id, exportedFlags(isReceived ? flags : flags | Flag.historical));
    }
    const namesReaders = isComplete || protectedIds.has(message.channel_id);
    if (!namesReaders && message.unread_by_default === 0) return {json, count};
    const muters = new Set(db.pluck('SELECT user_id FROM muted_user WHERE muted_id = ?', message.sender_id));
    const list = receivers(message.channel_id);
    for (let at = 0; at < list.length; at += stride) {
      const user_id = list[at] ?? 0;
      const [since = 0, until = 0] = [list[at + 3], list[at + 4]];
      if (message.id < since || message.id >= until || flagged.has(user_id)) continue;
      const subscription = {user_id, active: list[at + 1] ?? 0, unread_since: list[at + 2] ?? 0};
      const isUnread = until === Infinity && isUnreadByRule(message, subscription, muters);
      if (isUnread || namesReaders) add(user_id, isUnread ? 0 : 1);
    }
    return {json, count};
  };
}

export interface FileCounts {
  files: number;
  bytes: number;
}

/** Notes which custom emoji move: the other server shows a still image of those where nothing may move. */
export async function findAnimatedEmoji({server, animatedEmoji}: ExportContext): Promise<void> {
  for (const {id, file} of server.db.all<CustomEmojiRow>('SELECT * FROM realm_emoji')) {
    const stored = await server.files.open(file);
    if (stored !== undefined && isAnimated(await buffer(stored.stream()))) animatedEmoji.add(id);
  }
}

/** Copies the files of an export into its folders, each with a list of its files. */
export async function writeFiles(context: ExportContext, directory: string): Promise<FileCounts> {
  const {db, derivedFacts, files} = context.server;
  const counts = {files: 0, bytes: 0};

  async function recordsOf(folder: string): Promise<JsonFile> {
    await mkdir(join(directory, folder), {mode: 0o700});
    return JsonFile.create(join(directory, folder, 'records.json'), '[');
  }

  /** Copies a stored file; returns false if it does not exist. */
  async function copy(from: string, folder: string, path: string): Promise<boolean> {
    const stored = await files.open(from);
    if (stored === undefined) {
      context.noteChange('files that are missing in the data directory (left out)');
      return false;
    }
    const target = join(directory, folder, path);
    await mkdir(dirname(target), {recursive: true, mode: 0o700});
    await pipeline(stored.stream(), createWriteStream(target, {flags: 'wx', mode: 0o600}));
    counts.files++;
    counts.bytes += stored.size;
    return true;
  }

  /** Writes files and their records. Servers with files in S3 know the path under another name. */
  async function writeFolder(
    folder: string,
    described: Iterable<{readonly from: string; readonly record: ExportRow & {readonly path: string}}>,
  ): Promise<void> {
    const records = await recordsOf(folder);
    for (const {from, record} of described) {
      if (!(await copy(from, folder, record.path))) continue;
      await records.add(jsonText({realm_id: realmId, s3_path: record.path, ...record}));
    }
    await records.close();
  }

  /** Writes the uploaded files that messages link to, with their table. */
  async function writeUploads(): Promise<void> {
    const table = await JsonFile.create(join(directory, 'attachment.json'));
    table.startList('zerver_attachment');
    const records = await recordsOf('uploads');
    for (const row of db.each<AttachmentRow>('SELECT * FROM attachment')) {
      const {messages, isPublic, isWebPublic} = linksOf(db, row.id);
      const scheduled = context.scheduledUploads.get(row.path_id) ?? [];
      if (messages.length === 0 && scheduled.length === 0) continue;
      const path = exportedPath(row.path_id);
      if (!(await copy(row.path_id, 'uploads', path))) continue;
      const {owner_id: user_profile_id, size, content_type} = row;
      const record = {realm_id: realmId, s3_path: path, user_profile_id, path, size, content_type};
      await records.add(jsonText(record));
      const lastPart = path.slice(path.lastIndexOf('/') + 1);
      await table.add(
        jsonText({
          id: row.id,
          realm: realmId,
          owner: row.owner_id,
          file_name: exportedFileName(row.name) === lastPart ? row.name : lastPart,
          path_id: path,
          size,
          content_type,
          create_time: row.created_at,
          is_realm_public: isPublic,
          is_web_public: isWebPublic,
          messages,
          scheduled_messages: scheduled,
        }),
      );
    }
    await table.close();
    await records.close();
  }

  await writeUploads();
  // The original of the icon and the logos is also the image that is shown.
  const images = uploadedImages(derivedFacts.get(organizationSettings)).flatMap(({name, file}) =>
    ['original', 'png'].map((ending) => ({from: file, record: {path: `${realmId}/${name}.${ending}`}})),
  );
  await writeFolder('realm_icons', images);
  const avatars = `SELECT * FROM user WHERE avatar_source = 'U' AND avatar_file IS NOT NULL AND is_system_bot = 0`;
  await writeFolder(
    'avatars',
    db.each<UserRow>(avatars).map(({id: user_profile_id, avatar_file, avatar_version}) => {
      const path = `${realmId}/${user_profile_id}.original`;
      // Without the last key, only the larger of the two sizes would be made.
      const record = {path, user_profile_id, avatar_version, importer_should_thumbnail: true};
      return {from: avatarPath(avatar_file ?? ''), record};
    }),
  );
  const emoji = `SELECT *, ${emojiAuthor} AS author FROM realm_emoji`;
  await writeFolder(
    'emoji',
    db.each<CustomEmojiRow & {author: number}>(emoji).map(({file, name, author, deactivated}) => {
      const file_name = file.replace(/^.*\//, '');
      const path = `${realmId}/emoji/images/${file_name}`;
      return {from: file, record: {path, file_name, name, author, deactivated: deactivated === 1}};
    }),
  );
  return counts;
}

function linksOf(db: Database, attachmentId: number) {
  const sql = `SELECT max(c.invite_only = 0) AS isPublic, max(c.is_web_public) AS isWebPublic
    FROM attachment_message AS l JOIN exported_message AS m ON m.id = l.message_id JOIN channel AS c ON c.id = m.channel_id
    WHERE l.attachment_id = ?`;
  const channels = db.get<{isPublic: number | null; isWebPublic: number | null}>(sql, attachmentId);
  const isExported = (id: number) => db.has('exported_message', {id});
  return {
    messages: linkingMessageIds(db, attachmentId).filter(isExported),
    isPublic: channels?.isPublic === 1,
    isWebPublic: channels?.isWebPublic === 1,
  };
}
