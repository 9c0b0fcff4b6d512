import {createWriteStream} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {buffer} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';
import {avatarPath} from '#server/actions/uploads/attachments.ts';
import type {Database} from '#server/db/database.ts';
import {type AttachmentRow, type CustomEmojiRow, linkingMessageIds} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {organizationSettings} from '#server/organization/organization-settings.ts';
import {isAnimated} from '#server/uploads/image.ts';
import {realmId} from '#server/uploads/upload-path.ts';
import type {ExportContext, ExportRow} from './export-context.ts';
import {exportedFileName, exportedPath, JsonFile, jsonText} from './export-context.ts';
import {emojiAuthor, uploadedImages} from './organization-tables.ts';

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
  const isExported = (id: number) => db.get('SELECT 1 FROM exported_message WHERE id = ?', id) !== undefined;
  return {
    messages: linkingMessageIds(db, attachmentId).filter(isExported),
    isPublic: channels?.isPublic === 1,
    isWebPublic: channels?.isWebPublic === 1,
  };
}
