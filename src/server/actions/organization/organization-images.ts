import {randomUUID} from 'node:crypto';
import {buffer} from 'node:stream/consumers';
import {builtInEmoji} from '#content/emoji.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {type CustomEmojiRow, customEmojiRows} from '#server/db/organization-items.ts';
import {byCapability} from '#server/event-queues/event-queue.ts';
import {badRequest, notFoundError} from '#server/http/errors.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, type Upload} from '#server/http/route.ts';
import {customEmojiByName} from '#server/markdown-renderer.ts';
import {hasPermission, isAdmin, isGuest, organization} from '#server/permissions/has-permission.ts';
import {required} from '#server/required.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import {checkedImageFormat, isAnimated} from '#server/uploads/image.ts';
import {
  animatedGif,
  customEmojiTable,
  customEmojiView,
  emojiFolder,
  imageFolder,
  organizationImage,
} from '#server/views/organization-items.ts';
import {endpoints} from '#wire/endpoints.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {storeOrganizationSetting} from './update-organization.ts';

type OrganizationImage = 'icon' | 'logo' | 'night_logo';

const iconUrl = (act: Pick<ActionContext, 'server'>) => ({
  icon_url: organizationImage(organization(act), 'icon').url,
});

export const imageRoutes: readonly Route[] = [
  asyncRoute(endpoints.uploadIcon, async (request) => {
    await uploadOrganizationImage(request, 'icon');
    return iconUrl(request);
  }),
  route(endpoints.removeIcon, (call) => {
    setImage(call, 'icon', null);
    return iconUrl(call);
  }),
  asyncRoute(
    otherEndpoints.uploadLogo,
    async (request, {night}) => await uploadOrganizationImage(request, night ? 'night_logo' : 'logo'),
  ),
  route(otherEndpoints.removeLogo, (call, {night}) => setImage(call, night ? 'night_logo' : 'logo', null)),
  route(endpoints.getEmoji, ({server}) => ({emoji: customEmojiTable(server)})),
  asyncRoute(endpoints.addEmoji, async (request, params) => await addCustomEmoji(request, params.emoji_name)),
  route(endpoints.removeEmoji, (call, {emoji_name: name}) => {
    const emoji = required(activeEmoji(call, name), () => notFoundError(`Emoji '${name}' does not exist`));
    if (emoji.author_id !== call.actor.id && !isAdmin(call.actor)) {
      throw badRequest('Must be an organization administrator or emoji author');
    }
    call.db.run('UPDATE realm_emoji SET deactivated = 1 WHERE id = ?', emoji.id);
    emitEmojiChange(call, {op: 'update_one', emoji_id: String(emoji.id), data: {deactivated: true}});
  }),
];

/** Stores an uploaded icon or logo under a new name, so that caches do not show the old one. */
async function uploadOrganizationImage(request: AsyncRequestContext, image: OrganizationImage): Promise<void> {
  const {upload, server} = request;
  if (upload === undefined) {
    throw badRequest(`You must upload exactly one ${image === 'icon' ? 'icon' : 'logo'}.`);
  }
  const file = `${imageFolder}/${randomUUID()}.${checkedImageFormat(upload).extension}`;
  await upload.file.keep(file);
  try {
    request.runAction((call) => setImage(call, image, file));
  } catch (error) {
    await server.files.delete(file);
    throw error;
  }
}

function setImage(act: ActionContext, image: OrganizationImage, file: string | null): void {
  const before = organization(act)[`${image}_file`];
  storeOrganizationSetting(act, `${image}_file`, file);
  if (before !== null) act.afterCommit(() => void act.server.files.delete(before).catch(() => {}));
  const {url, source} = organizationImage(organization(act), image);
  const data = {[`${image}_url`]: url, [`${image}_source`]: source};
  act.emit({type: 'realm', to: 'everyone', body: {op: 'update_dict', property: image, data}});
}

/** Zulip's servers have no limit; this one only keeps the names of a list from growing without one. */
const maxNameLength = 1000;

/** Checks the request, stores the image, then writes the row, so that no row ever refers to a missing file. */
async function addCustomEmoji(request: AsyncRequestContext, inputName: string): Promise<void> {
  const {upload, server} = request;
  const name = inputName.trim().replaceAll(' ', '_');
  let stored: string | undefined;
  try {
    request.runAction((call) => checkNew(call, name, upload));
    if (upload === undefined) return;
    stored = `${emojiFolder}/${randomUUID()}.${checkedImageFormat(upload).extension}`;
    await upload.file.keep(stored);
    const file = await namedAsAnimated(server.files, stored);
    stored = file;
    request.runAction((call) => {
      checkNew(call, name, upload);
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

function checkNew(act: RequestContext, name: string, upload: Upload | undefined): void {
  const {actor} = act;
  if (isGuest(actor) || !hasPermission(act, actor, organization(act).can_add_custom_emoji_group)) {
    throw badRequest('Insufficient permission');
  }
  if (name === '') throw badRequest('Emoji name is missing');
  if (!/^[a-z0-9_-]+$/.test(name) || name.length > maxNameLength) {
    throw badRequest(
      'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
    );
  }
  if (/[_-]$/.test(name)) throw badRequest('Emoji names must end with either a letter or digit.');
  if (activeEmoji(act, name) !== undefined) {
    throw badRequest('A custom emoji with this name already exists.');
  }
  if (upload === undefined) throw badRequest('You must upload exactly one file.');
  if (builtInEmoji().code(name) !== undefined && !isAdmin(actor)) {
    throw badRequest('Only administrators can override default emoji.');
  }
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
  act.emit({type: 'realm_emoji', to: 'everyone', body});
}
