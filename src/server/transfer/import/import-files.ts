import {randomBytes, randomUUID} from 'node:crypto';
import {avatarPath} from '#server/actions/users/avatars.ts';
import {bytesOf, type ReceivedFile} from '#server/uploads/file-store.ts';
import {displayFilename, newPathId} from '#server/uploads/upload-path.ts';
import {animatedGif, emojiFolder, imageFolder} from '#server/views/organization-items.ts';
import {imageSize} from '#std/image-size.ts';
import {imageFormat} from '#std/media-type.ts';
import type {SourceFile} from './export-source.ts';
import type {ImportContext, Row} from './import-context.ts';

/** Zulip and this server accept pictures up to 5 MiB. */
const maxPictureLength = 5 * 1024 * 1024;

/** Imports the uploaded files under new paths; `work.upload` says which path a file had. */
export async function importUploads(context: ImportContext): Promise<void> {
  const {db, users, source, report} = context;
  db.exec('CREATE TABLE work.upload (path TEXT PRIMARY KEY, new_path TEXT NOT NULL)');
  for (const row of source.tables('attachment.json')?.rows('zerver_attachment') ?? []) {
    const path = row.text('path_id', 1000);
    const file = source.find(`uploads/${path}`);
    if (file === undefined) {
      report.leaveOut('uploaded files that are not in the export');
      continue;
    }
    const name = displayFilename(row.text('file_name', 1000));
    const newPath = newPathId(name);
    const received = await copy(context, file);
    const sql = 'INSERT OR IGNORE INTO work.upload (path, new_path) VALUES (?, ?)';
    if (db.run(sql, path, newPath) === 0) row.fail(`the path ${path} is there twice.`);
    await received.keep(newPath);
    const dimensions = imageSize(received.head);
    db.insertRow('attachment', {
      owner_id: users.of(row, 'owner'),
      name,
      path_id: newPath,
      size: received.size,
      content_type: contentType(row, received),
      created_at: row.time('create_time'),
      width: dimensions?.width ?? null,
      height: dimensions?.height ?? null,
    });
    report.count('attachment');
  }
}

function copy({files}: ImportContext, {location, size}: SourceFile): Promise<ReceivedFile> {
  return files.receive(bytesOf(location), size);
}

function contentType(row: Row, {head}: ReceivedFile): string {
  const type = row.optionalText('content_type', 200) ?? '';
  return imageFormat(head)?.type ?? (/^[\w.+-]+\/[\w.+-]+(?:;[ -~]*)?$/.test(type) ? type : 'application/octet-stream');
}

/** Links the files to the messages that name them; the messages must exist. */
export function linkUploads({db, source}: ImportContext): void {
  for (const row of source.tables('attachment.json')?.rows('zerver_attachment') ?? []) {
    const sql = `INSERT OR IGNORE INTO attachment_message (attachment_id, message_id)
       SELECT a.id, m.new FROM work.upload AS u JOIN attachment AS a ON a.path_id = u.new_path
       CROSS JOIN json_each(?2) AS wanted CROSS JOIN work.message AS m ON m.old = wanted.value WHERE u.path = ?1`;
    db.run(sql, row.text('path_id', 1000), JSON.stringify(row.numbers('messages')));
  }
}

export async function importAvatars(context: ImportContext): Promise<void> {
  const {db, users, report} = context;
  for (const row of pictureRows(context, 'avatars')) {
    const user = users.of(row, 'user_profile_id');
    const nameOf = (extension: string) => `${user}/${randomBytes(20).toString('hex')}.${extension}`;
    const avatar_file = await storePicture(context, row, 'avatars', nameOf);
    if (avatar_file === undefined) continue;
    db.updateRow('user', user, {avatar_source: 'U', avatar_file});
    report.count('avatars');
  }
}

export async function importEmoji(context: ImportContext): Promise<void> {
  const {db, users, emoji, emojiFiles, realm, report} = context;
  const animated = new Set<string>();
  for (const row of realm.rows('zerver_realmemoji')) {
    if (row.bit('is_animated') === 1) animated.add(row.optionalText('file_name', 300) ?? '');
  }
  for (const row of pictureRows(context, 'emoji')) {
    // Servers with S3 had the ending in the name, too.
    const oldName = row.text('file_name', 300).replace(/\.original$/, '');
    const isAnimated = animated.has(oldName);
    const nameOf = (extension: string) =>
      `${emojiFolder}/${randomUUID()}${isAnimated && extension === 'gif' ? animatedGif : `.${extension}`}`;
    const name = await storePicture(context, row, 'emoji', nameOf);
    if (name !== undefined) emojiFiles.set(oldName, name);
  }
  for (const row of realm.rows('zerver_realmemoji')) {
    const file = emojiFiles.get(row.optionalText('file_name', 300) ?? '');
    if (file === undefined) {
      report.leaveOut('custom emoji without an image');
      continue;
    }
    emoji.add(
      row,
      db.insertRow('realm_emoji', {
        name: row.name('name', 100),
        author_id: users.optional(row, 'author'),
        file,
        deactivated: row.bit('deactivated'),
      }),
    );
    report.count('realmemoji');
  }
}

export async function importOrganizationImages(context: ImportContext): Promise<void> {
  for (const row of pictureRows(context, 'realm_icons')) {
    const image = /\/(icon|logo|night_logo)\.original$/.exec(row.text('path', 1000))?.[1];
    if (image === undefined) continue;
    const nameOf = (extension: string) => `${imageFolder}/${randomUUID()}.${extension}`;
    const file = await storePicture(context, row, 'realm_icons', nameOf);
    if (file === undefined) continue;
    context.db.insertRow('realm_setting', {name: `${image}_file`, value: JSON.stringify(file)});
    context.report.count('realm_icons');
  }
}

/** Yields one record per picture: that of the original if there are several sizes. */
function* pictureRows({source}: ImportContext, folder: string): Generator<Row> {
  const file = `${folder}/records.json`;
  for (const row of source.tables(file)?.rows('') ?? []) {
    const path = row.text('path', 1000);
    // A file without an ending, as those of other programs, is no twin of itself.
    const hasOriginal = (twin: string) => twin !== path && source.find(`${folder}/${twin}`) !== undefined;
    const twins = [`${path}.original`, path.replace(/\.\w+$/, '.original')];
    if (path.endsWith('.original') || !twins.some(hasOriginal)) yield row;
  }
}

/** Stores a picture under the name that `nameOf` makes from its type, and returns that name. */
async function storePicture(
  context: ImportContext,
  row: Row,
  folder: string,
  nameOf: (extension: string) => string,
): Promise<string | undefined> {
  const file = context.source.find(`${folder}/${row.text('path', 1000)}`);
  const received = file === undefined || file.size > maxPictureLength ? undefined : await copy(context, file);
  const kind = received === undefined ? undefined : imageFormat(received.head);
  if (received === undefined || kind === undefined) {
    await received?.discard();
    context.report.leaveOut(`pictures in ${folder} that are missing, too large or of an unknown type`);
    return undefined;
  }
  const name = nameOf(kind.extension);
  await received.keep(folder === 'avatars' ? avatarPath(name) : name);
  return name;
}
