import {randomUUID} from 'node:crypto';
import {buffer} from 'node:stream/consumers';
import {builtInEmoji} from '#content/emoji.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {type CustomEmojiRow, customEmojiRows} from '#server/db/organization-items.ts';
import {badRequest, check, notFoundError, required} from '#server/errors.ts';
import {byCapability} from '#server/event-queues/event-queues.ts';
import {customEmojiByName} from '#server/markdown-renderer.ts';
import {hasPermission, isAdmin, isGuest, organization} from '#server/permissions/has-permission.ts';
import {type AsyncRequestContext, asyncRoute, type Route, route, type Upload} from '#server/route.ts';
import type {FileStore} from '#server/uploads/file-store.ts';
import {checkedImageFormat, isAnimated} from '#server/uploads/image.ts';
import {animatedGif, customEmojiTable, customEmojiView, emojiFolder} from '#server/views/organization-items.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';

export const emojiRoutes: readonly Route[] = [
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
    call.db.updateRow('realm_emoji', emoji.id, {deactivated: 1});
    emitEmojiChange(call, {op: 'update_one', emoji_id: String(emoji.id), data: {deactivated: true}});
  }),
];

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
  check(
    !isGuest(actor) && hasPermission(act, actor, organization(act).can_add_custom_emoji_group),
    'Insufficient permission',
  );
  check(name !== '', 'Emoji name is missing');
  check(
    /^[a-z0-9_-]+$/.test(name) && name.length <= maxEmojiNameLength,
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, and underscores.',
  );
  check(!/[_-]$/.test(name), 'Emoji names must end with either a letter or digit.');
  check(activeEmoji(act, name) === undefined, 'A custom emoji with this name already exists.');
  check(upload !== undefined, 'You must upload exactly one file.');
  check(builtInEmoji().code(name) === undefined || isAdmin(actor), 'Only administrators can override default emoji.');
}

function activeEmoji(act: ActionContext, name: string): CustomEmojiRow | undefined {
  return act.server.derivedFacts.get(customEmojiRows).find((row) => row.name === name && row.deactivated === 0);
}

/** Emits the change to clients that support single changes and the whole table to others. */
function emitEmojiChange(act: ActionContext, change: OutgoingBody<'realm_emoji'>): void {
  act.server.derivedFacts.invalidate(customEmojiRows);
  act.server.derivedFacts.invalidate(customEmojiByName);
  const table = {op: 'update' as const, realm_emoji: customEmojiTable(act.server)};
  const body = byCapability('individual_emoji_changes', (isSupported) => (isSupported ? change : table));
  act.emit('realm_emoji', 'everyone', body);
}
