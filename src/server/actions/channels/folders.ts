import {checkedChannelDescription, checkNameCharacters} from '#server/actions/inputs.ts';
import type {ActionContext, RequestContext} from '#server/context.ts';
import {type FolderRow, findFolder, listFolders, storeOrder} from '#server/db/organization-items.ts';
import {fold} from '#server/db/rows.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import {folderView} from '#server/views/organization-items.ts';
import type {ParamsOf} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';

export const folderRoutes: readonly Route[] = [
  route(endpoints.getFolders, 'account', (call, {include_archived}) => {
    const folders = listFolders(call.db).filter((folder) => include_archived || folder.is_archived === 0);
    return {channel_folders: folders.map((folder) => folderView(call, folder))};
  }),
  route(endpoints.createFolder, 'admin', (call, params) => ({channel_folder_id: createFolder(call, params)})),
  // The order must contain every folder once, archived ones included.
  route(endpoints.reorderFolders, 'admin', (call, {order}) => {
    const folderIds = new Set(listFolders(call.db).map((folder) => folder.id));
    if (order.length !== folderIds.size || folderIds.symmetricDifference(new Set(order)).size > 0) {
      throw badRequest('Invalid order mapping.');
    }
    storeOrder(call.db, 'channel_folder', order);
    call.emit('channel_folder', 'everyone', {op: 'reorder', order});
  }),
  route(endpoints.updateFolder, 'admin', updateFolder),
];

function createFolder(act: RequestContext, input: {name: string; description: string}): number {
  const name = checkedFolderName(act, input.name);
  const id = act.db.insertRow('channel_folder', {
    name,
    name_key: fold(name),
    description: checkedChannelDescription(input.description, 'Channel folder'),
    sort_order: 0,
    created_at: act.now,
    creator_id: act.actor.id,
  });
  act.db.run('UPDATE channel_folder SET sort_order = id WHERE id = ?', id);
  act.emit('channel_folder', 'everyone', {op: 'add', channel_folder: folderView(act, requireFolder(act, id))});
  return id;
}

type FolderData = Extract<OutgoingBody<'channel_folder'>, {op: 'update'}>['data'];
type FolderChanges = ParamsOf<typeof endpoints.updateFolder>;

function updateFolder(act: ActionContext, {channel_folder_id: id, ...changes}: FolderChanges): void {
  const folder = requireFolder(act, id);
  const name = changes.name === undefined ? folder.name : checkedFolderName(act, changes.name, id);
  const description =
    changes.description === undefined
      ? folder.description
      : checkedChannelDescription(changes.description, 'Channel folder');
  const isArchived = changes.is_archived ?? folder.is_archived === 1;
  if (isArchived && folder.is_archived === 0) checkEmpty(act, id);
  act.db.updateRow('channel_folder', id, {name, name_key: fold(name), description, is_archived: isArchived ? 1 : 0});
  const emitChange = (data: FolderData) =>
    act.emit('channel_folder', 'everyone', {op: 'update', channel_folder_id: id, data});
  if (name !== folder.name) emitChange({name});
  if (description !== folder.description) {
    emitChange({description, rendered_description: act.server.renderer.descriptionHtml(description)});
  }
  if (isArchived !== (folder.is_archived === 1)) emitChange({is_archived: isArchived});
}

function requireFolder(act: ActionContext, id: number): FolderRow {
  return required(findFolder(act.db, id), 'Invalid channel folder ID');
}

function checkedFolderName(act: ActionContext, input: string, ownId?: number): string {
  const name = input.trim();
  check(name !== '', "Channel folder name can't be empty.");
  checkNameCharacters(name, 'channel folder name');
  const idsWithName = act.db.pluck('SELECT id FROM channel_folder WHERE name_key = ? AND is_archived = 0', fold(name));
  check(!idsWithName.some((id) => id !== ownId), 'Channel folder name already in use');
  return name;
}

function checkEmpty(act: ActionContext, id: number): void {
  if (act.db.get('SELECT 1 FROM channel WHERE folder_id = ? LIMIT 1', id) === undefined) return;
  throw badRequest('You need to remove all the channels from this folder to archive it.');
}
