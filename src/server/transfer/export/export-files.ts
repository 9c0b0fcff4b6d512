import {createWriteStream} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {buffer} from 'node:stream/consumers';
import {pipeline} from 'node:stream/promises';
import {avatarPath} from '#server/actions/users/avatars.ts';
import {type AttachmentRow, type CustomEmojiRow, linkingMessageIds} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {organizationSettings} from '#server/organization/organization-settings.ts';
import {isAnimated} from '#server/uploads/image.ts';
import {realmId} from '#server/uploads/upload-path.ts';
import type {ExportContext, ExportRow} from './export-context.ts';
import {exportedFileName, exportedPath} from './exported-words.ts';
import {JsonFile, jsonText} from './json-file.ts';
import {emojiAuthor, uploadedImages} from './organization-tables.ts';

export interface FileCounts {
  files: number;
  bytes: number;
}

/** Returns a file in the list of its folder. Servers with files in S3 know the path under another name. */
function recordText(record: ExportRow & {readonly path: string}): string {
  return jsonText({realm_id: realmId, s3_path: record.path, ...record});
}

/** Notes which custom emoji move: the other server shows a still image of those where nothing may move. */
export async function findAnimatedEmoji({server, animatedEmoji}: ExportContext): Promise<void> {
  for (const {id, file} of server.db.all<CustomEmojiRow>('SELECT * FROM realm_emoji')) {
    const stored = await server.files.open(file);
    if (stored !== undefined && isAnimated(await buffer(stored.stream()))) animatedEmoji.add(id);
  }
}

/** Copies the files of an export into its folders, each with a list of its files. */
export class ExportedFiles {
  readonly #context: ExportContext;
  readonly #directory: string;
  readonly counts: FileCounts = {files: 0, bytes: 0};

  constructor(context: ExportContext, directory: string) {
    this.#context = context;
    this.#directory = directory;
  }

  async writeAll(): Promise<void> {
    await this.#writeUploads();
    await this.#writeImages();
    await this.#writeFolder<UserRow>(
      'avatars',
      `SELECT * FROM user WHERE avatar_source = 'U' AND avatar_file IS NOT NULL AND is_system_bot = 0`,
      ({id, avatar_file, avatar_version}) => ({
        from: avatarPath(avatar_file ?? ''),
        // Without the last key, only the larger of the two sizes would be made.
        record: {
          path: `${realmId}/${id}.original`,
          user_profile_id: id,
          avatar_version,
          importer_should_thumbnail: true,
        },
      }),
    );
    const emoji = `SELECT *, ${emojiAuthor} AS author FROM realm_emoji`;
    await this.#writeFolder<CustomEmojiRow & {author: number}>('emoji', emoji, ({file, name, author, deactivated}) => {
      const fileName = file.replace(/^.*\//, '');
      const path = `${realmId}/emoji/images/${fileName}`;
      return {from: file, record: {path, file_name: fileName, name, author, deactivated: deactivated === 1}};
    });
  }

  /** Writes the icon and the logos. The original is also the image that is shown. */
  async #writeImages(): Promise<void> {
    const {server} = this.#context;
    const records = await this.#records('realm_icons');
    for (const {name, file} of uploadedImages(server.derivedFacts.get(organizationSettings))) {
      for (const ending of ['original', 'png']) {
        const path = `${realmId}/${name}.${ending}`;
        if (await this.#copy(file, 'realm_icons', path)) await records.add(recordText({path}));
      }
    }
    await records.close();
  }

  /** Writes the uploaded files that messages link to. */
  async #writeUploads(): Promise<void> {
    const {server, scheduledUploads} = this.#context;
    const table = await JsonFile.object(join(this.#directory, 'attachment.json'));
    table.startList('zerver_attachment');
    const records = await this.#records('uploads');
    for (const row of server.db.each<AttachmentRow>('SELECT * FROM attachment')) {
      const {messages, isPublic, isWebPublic} = this.#links(row.id);
      const scheduled = scheduledUploads.get(row.path_id) ?? [];
      if (messages.length === 0 && scheduled.length === 0) continue;
      const path = exportedPath(row.path_id);
      if (!(await this.#copy(row.path_id, 'uploads', path))) continue;
      const {owner_id: user_profile_id, size, content_type} = row;
      await records.add(recordText({user_profile_id, path, size, content_type}));
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

  #links(attachmentId: number) {
    const {db} = this.#context.server;
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

  async #writeFolder<T>(
    folder: string,
    sql: string,
    describe: (row: T) => {readonly from: string; readonly record: {readonly path: string}},
  ): Promise<void> {
    const records = await this.#records(folder);
    for (const row of this.#context.server.db.each<T>(sql)) {
      const {from, record} = describe(row);
      if (await this.#copy(from, folder, record.path)) await records.add(recordText(record));
    }
    await records.close();
  }

  async #records(folder: string): Promise<JsonFile> {
    await mkdir(join(this.#directory, folder), {mode: 0o700});
    return JsonFile.list(join(this.#directory, folder, 'records.json'));
  }

  /** Copies a stored file; returns false if it does not exist. */
  async #copy(from: string, folder: string, path: string): Promise<boolean> {
    const stored = await this.#context.server.files.open(from);
    if (stored === undefined) {
      this.#context.noteChange('files that are missing in the data directory (left out)');
      return false;
    }
    const target = join(this.#directory, folder, path);
    await mkdir(dirname(target), {recursive: true, mode: 0o700});
    await pipeline(stored.stream(), createWriteStream(target, {flags: 'wx', mode: 0o600}));
    this.counts.files++;
    this.counts.bytes += stored.size;
    return true;
  }
}
