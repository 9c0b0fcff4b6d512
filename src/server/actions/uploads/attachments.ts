import {randomBytes, randomUUID} from 'node:crypto';
import {buffer} from 'node:stream/consumers';
import {builtInEmoji} from '#content/emoji.ts';
import {emitAvatarUpdate} from '#server/actions/events/user-events.ts';
import type {ActionContext, RequestContext, ServerAccess} from '#server/context.ts';
import {
  type AttachmentRow,
  attachmentsOf,
  type CustomEmojiRow,
  customEmojiRows,
  findAttachment,
  findAttachmentByPath,
  uploadSpaceUsed,
} from '#server/db/organization-items.ts';
import type {UserRow} from '#server/db/rows.ts';
import {reloadUser} from '#server/db/users.ts';
import {ApiError, badRequest, check, notFoundError, required} from '#server/errors.ts';
import {byCapability} from '#server/event-queues/event-queues.ts';
import {customEmojiByName} from '#server/markdown-renderer.ts';
import {canReadAttachment} from '#server/permissions/channel.ts';
import {
  hasPermission,
  isAdmin,
  isGuest,
  organization,
  storeOrganizationSetting,
} from '#server/permissions/has-permission.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, type Upload} from '#server/route.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import {checkedImageFormat, isAnimated, isImageType} from '#server/uploads/image.ts';
import {displayFilename, findUpload, newPathId, temporaryPath} from '#server/uploads/upload-path.ts';
import {checkUploadQuota} from '#server/uploads/upload-quota.ts';
import {
  animatedGif,
  attachmentView,
  customEmojiTable,
  customEmojiView,
  emojiFolder,
  imageFolder,
  organizationImage,
} from '#server/views/organization-items.ts';
import {avatarUrl} from '#server/views/user.ts';
import {imageSize} from '#std/image-size.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {WireAttachment} from '#wire/objects/personal.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';

export const uploadRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadFile, 'account', async (request) => {
    const {name, path_id} = await storeUpload(request);
    const url = `/user_uploads/${path_id}`;
    return {url, uri: url, filename: name};
  }),
  route(endpoints.getTemporaryUrl, 'account', (call, {realm_id, filename}) => ({
    url: temporaryPath(call.server, readableUpload(call, `${realm_id}/${filename}`).path_id),
  })),
  // Images are served unchanged, so there is never a thumbnail to wait for.
  route(endpoints.getThumbnailStatus, 'account', (call, {realm_id, filename}) => {
    const file = findUpload(call.server, call.actor, `${realm_id}/${filename}`);
    if (typeof file === 'string' || file.width === null) throw badRequest('Invalid attachment');
    return {has_thumbnail: true};
  }),
  route(endpoints.getAttachments, 'account', (call) => ({
    attachments: attachmentsOf(call.db, call.actor.id).map((row) => attachmentView(call, row)),
    upload_space_used: uploadSpaceUsed(call.db),
  })),
  // Links in messages stay, but no longer work.
  route(endpoints.deleteAttachment, 'account', (call, {attachment_id: id}) => deleteAttachment(call, call.actor, id)),

  asyncRoute(endpoints.uploadIcon, 'admin', async (request) => {
    await uploadOrganizationImage(request, 'icon');
    return iconUrl(request);
  }),
  route(endpoints.removeIcon, 'admin', (call) => {
    setImage(call, 'icon', null);
    return iconUrl(call);
  }),
  asyncRoute(
    otherEndpoints.uploadLogo,
    'admin',
    async (request, {night}) => await uploadOrganizationImage(request, night ? 'night_logo' : 'logo'),
  ),
  route(otherEndpoints.removeLogo, 'admin', (call, {night}) => setImage(call, night ? 'night_logo' : 'logo', null)),
  route(endpoints.getEmoji, 'account', ({server}) => ({emoji: customEmojiTable(server)})),
  asyncRoute(
    endpoints.addEmoji,
    'member-person',
    async (request, params) => await addCustomEmoji(request, params.emoji_name),
  ),
  route(endpoints.removeEmoji, 'member', (call, {emoji_name: name}) => {
    const emoji = required(activeEmoji(call, name), () => notFoundError(`Emoji '${name}' does not exist`));
    if (emoji.author_id !== call.actor.id && !isAdmin(call.actor)) {
      throw badRequest('Must be an organization administrator or emoji author');
    }
    call.db.run('UPDATE realm_emoji SET deactivated = 1 WHERE id = ?', emoji.id);
    emitEmojiChange(call, {op: 'update_one', emoji_id: String(emoji.id), data: {deactivated: true}});
  }),

  asyncRoute(endpoints.uploadAvatar, 'account', async (request) => {
    const {actor, upload} = request;
    if (upload === undefined) throw badRequest('You must upload exactly one avatar.');
    checkCanChangeAvatar(request, actor);
    return storeAvatar(request, actor, upload, (call, name) => ownUrl(setAvatar(call, call.actor, name)));
  }),
  route(endpoints.deleteAvatar, 'account', (call) => {
    checkCanChangeAvatar(call, call.actor);
    return ownUrl(call.actor.avatar_source === 'U' ? setAvatar(call, call.actor, undefined) : call.actor);
  }),
];

export function deleteAttachment({db, emit, ...act}: ActionContext, owner: UserRow, id: number): void {
  const file = findAttachment(db, id);
  if (file === undefined || file.owner_id !== owner.id) throw badRequest('Invalid attachment');
  db.run('DELETE FROM attachment_message WHERE attachment_id = ?', id);
  db.run('DELETE FROM attachment WHERE id = ?', id);
  emit('attachment', [owner.id], {op: 'remove', attachment: {id}, upload_space_used: uploadSpaceUsed(db)});
  // A file without a row cannot be accessed, so a failed deletion only wastes space.
  act.afterCommit(() => void act.server.files.delete(file.path_id).catch(() => {}));
}

function readableUpload(call: RequestContext, pathId: string): AttachmentRow {
  const file = findUpload(call.server, call.actor, pathId);
  if (file === 'missing') throw notFoundError('File not found');
  if (file === 'forbidden') throw new ApiError('BAD_REQUEST', 'You do not have access to this file', 403);
  return file;
}

async function storeUpload(request: AsyncRequestContext): Promise<Pick<AttachmentRow, 'name' | 'path_id'>> {
  const {upload} = request;
  check(!request.hasSeveralFiles, 'You may only upload one file at a time');
  if (upload === undefined) throw badRequest('You must specify a file to upload');
  const {file: received, filename, contentType: content_type} = upload;
  const size = isImageType(content_type) ? imageSize(received.head) : undefined;
  const file = {
    name: displayFilename(filename),
    path_id: newPathId(filename),
    size: received.size,
    content_type,
    width: size?.width ?? null,
    height: size?.height ?? null,
  };
  await keepUpload(request, upload, file.path_id, (call) => addAttachment(call, file));
  return file;
}

/** Keeps an uploaded file under a path, and deletes it again if the action fails. */
async function keepUpload<T>(
  {server, runAction}: AsyncRequestContext,
  {file}: Upload,
  path: string,
  action: (call: RequestContext) => T,
): Promise<T> {
  await file.keep(path);
  try {
    return runAction(action);
  } catch (error) {
    await server.files.delete(path);
    throw error;
  }
}

function addAttachment(act: RequestContext, file: Omit<AttachmentRow, 'id' | 'owner_id' | 'created_at'>): void {
  const {actor} = act;
  checkUploadQuota(act, actor, file.size);
  const row = {owner_id: actor.id, created_at: act.now, ...file};
  const id = act.db.insertRow('attachment', row);
  const body = {op: 'add', attachment: attachmentView(act, {id, ...row}), upload_space_used: uploadSpaceUsed(act.db)};
  act.emit('attachment', [actor.id], body);
}

/**
 * Records the files that a message links to, as far as its sender may read them. Their owners are told of each path, so twice
 * of an inline image, as on Zulip's servers.
 */
export function linkUploads(act: ActionContext, sender: UserRow, messageId: number, paths: readonly string[]): void {
  const linked = new Set<number>();
  for (const path of paths) {
    const file = findAttachmentByPath(act.db, path);
    if (file === undefined || !canReadAttachment(act, sender, file)) continue;
    const sql = 'INSERT OR IGNORE INTO attachment_message (attachment_id, message_id) VALUES (?, ?)';
    if (act.db.run(sql, file.id, messageId) > 0) linked.add(file.id);
    if (linked.has(file.id)) emitAttachment(act, file);
  }
}

/**
 * Removes the records of files that a message no longer links to, without an event, as on Zulip's servers. Returns the files
 * that no message links to any more.
 */
export function unlinkUploads(act: ActionContext, messageId: number, linkedPaths: readonly string[]): WireAttachment[] {
  const select = `SELECT a.* FROM attachment_message AS am JOIN attachment AS a ON a.id = am.attachment_id
     WHERE am.message_id = ? AND a.path_id NOT IN (SELECT value FROM json_each(?)) ORDER BY a.id`;
  const files = act.db.all<AttachmentRow>(select, messageId, JSON.stringify(linkedPaths));
  for (const file of files) {
    const sql = 'DELETE FROM attachment_message WHERE attachment_id = ? AND message_id = ?';
    act.db.run(sql, file.id, messageId);
  }
  return files.map((file) => attachmentView(act, file)).filter((file) => file.message_ids?.length === 0);
}

function emitAttachment(act: ActionContext, file: AttachmentRow): void {
  const body = {
    op: 'update',
    attachment: attachmentView(act, file),
    upload_space_used: uploadSpaceUsed(act.db),
  };
  act.emit('attachment', [file.owner_id], body);
}

type OrganizationImage = 'icon' | 'logo' | 'night_logo';

const iconUrl = (act: ServerAccess) => ({
  icon_url: organizationImage(organization(act), 'icon').url,
});

/** Stores an uploaded icon or logo under a new name, so that caches do not show the old one. */
async function uploadOrganizationImage(request: AsyncRequestContext, image: OrganizationImage): Promise<void> {
  const upload = required(request.upload, `You must upload exactly one ${image === 'icon' ? 'icon' : 'logo'}.`);
  const file = `${imageFolder}/${randomUUID()}.${checkedImageFormat(upload).extension}`;
  await keepUpload(request, upload, file, (call) => setImage(call, image, file));
}

function setImage(act: ActionContext, image: OrganizationImage, file: string | null): void {
  const before = organization(act)[`${image}_file`];
  storeOrganizationSetting(act, `${image}_file`, file);
  if (before !== null) act.afterCommit(() => void act.server.files.delete(before).catch(() => {}));
  const {url, source} = organizationImage(organization(act), image);
  const data = {[`${image}_url`]: url, [`${image}_source`]: source};
  act.emit('realm', 'everyone', {op: 'update_dict', property: image, data});
}

/** Zulip's servers have no limit; this one only keeps the names of a list from growing without one. */
const maxEmojiNameLength = 1000;

/** Checks the request, stores the image, then writes the row, so that no row ever refers to a missing file. */
async function addCustomEmoji(request: AsyncRequestContext, inputName: string): Promise<void> {
  const {upload, server} = request;
  const name = inputName.trim().replaceAll(' ', '_');
  let stored: string | undefined;
  try {
    request.runAction((call) => checkNewEmoji(call, name, upload));
    if (upload === undefined) return;
    stored = `${emojiFolder}/${randomUUID()}.${checkedImageFormat(upload).extension}`;
    await upload.file.keep(stored);
    const file = await namedAsAnimated(server.files, stored);
    stored = file;
    request.runAction((call) => {
      checkNewEmoji(call, name, upload);
      const row = {name, author_id: call.actor.id, file};
      const id = call.db.insertRow('realm_emoji', row);
      emitEmojiChange(call, {op: 'add', emoji: customEmojiView({id, ...row, deactivated: 0})});
    });
  } catch (error) {
    if (stored !== undefined) await server.files.delete(stored);
    throw error;
  }
}

/** Gives an animated GIF a name that says so. Returns the file's name. */
async function namedAsAnimated(files: FileStore, name: string): Promise<string> {
  const stored = name.endsWith('.gif') ? await files.open(name) : undefined;
  const image = stored === undefined ? undefined : await buffer(stored.stream());
  if (image === undefined || !isAnimated(image)) return name;
  const animated = name.replace(/\.gif$/, animatedGif);
  await files.put(animated, image);
  await files.delete(name);
  return animated;
}

function checkNewEmoji(act: RequestContext, name: string, upload: Upload | undefined): void {
  const {actor} = act;
  if (isGuest(actor) || !hasPermission(act, actor, organization(act).can_add_custom_emoji_group)) {
    throw badRequest('Insufficient permission');
  }
  if (name === '') throw badRequest('Emoji name is missing');
  if (!/^[a-z0-9_-]+$/.test(name) || name.length > maxEmojiNameLength) {
    throw badRequest(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  }
  if (/[_-]$/.test(name)) throw badRequest('Emoji names must end with either a letter or digit.');
  check(activeEmoji(act, name) === undefined, 'A custom emoji with this name already exists.');
  if (upload === undefined) throw badRequest('You must upload exactly one file.');
  check(builtInEmoji().code(name) === undefined || isAdmin(actor), 'Only administrators can override default emoji.');
}

function activeEmoji(act: ActionContext, name: string): CustomEmojiRow | undefined {
  return act.server.derivedFacts.get(customEmojiRows).find((row) => row.name === name && row.deactivated === 0);
}

/** Emits the change to clients that support single changes and the whole table to others. */
function emitEmojiChange(act: ActionContext, change: Readonly<Record<string, unknown>>): void {
  act.server.derivedFacts.invalidate(customEmojiRows);
  act.server.derivedFacts.invalidate(customEmojiByName);
  const table = {op: 'update', realm_emoji: customEmojiTable(act.server)};
  const body = byCapability('individual_emoji_changes', (isSupported) => (isSupported ? change : table));
  act.emit('realm_emoji', 'everyone', body);
}

/** Stores an uploaded picture of a user under a new name, and deletes it again if `save` fails. */
export async function storeAvatar<T>(
  request: AsyncRequestContext,
  {id}: Pick<UserRow, 'id'>,
  upload: Upload,
  save: (call: RequestContext, name: string) => T,
): Promise<T> {
  const {extension} = checkedImageFormat(upload);
  const name = `${id}/${randomBytes(20).toString('hex')}.${extension}`;
  return keepUpload(request, upload, avatarPath(name), (call) => save(call, name));
}

/** Users see their own address, so the response always contains the URL of the avatar. */
function ownUrl(user: UserRow): {avatar_url: string | null} {
  return {avatar_url: avatarUrl(user, {clientGravatar: false, seesEmail: true})};
}

function checkCanChangeAvatar(act: ServerAccess, user: UserRow): void {
  if (organization(act).avatar_changes_disabled && !isAdmin(user)) {
    throw badRequest('Avatar changes are disabled in this organization.');
  }
}

/** Sets the avatar to an image in the file store, or back to the generated one. Checks no permissions. */
export function setAvatar(act: ActionContext, user: UserRow, file: string | undefined): UserRow {
  const before = reloadUser(act, user.id);
  const sql = 'UPDATE user SET avatar_source = ?, avatar_file = ?, avatar_version = avatar_version + 1 WHERE id = ?';
  act.db.run(sql, file === undefined ? 'G' : 'U', file ?? null, user.id);
  const after = reloadUser(act, user.id);
  emitAvatarUpdate(act, after);
  const old = before.avatar_file;
  // A failed deletion wastes a few kilobytes, which is no reason to fail the request.
  if (old !== null) act.afterCommit(() => void act.server.files.delete(avatarPath(old)).catch(() => {}));
  return after;
}

/** Returns the avatar's path in the file store. */
export function avatarPath(file: string): string {
  return `avatars/${file}`;
}
