import {createFolder, reorderFolders, updateFolder} from '#server/actions/channels/channel-folders.ts';
import {listFolders} from '#server/db/folders.ts';
import {type Route, route} from '#server/http/route.ts';
import {folderView} from '#server/views/folder.ts';
import {endpoints} from '#wire/endpoints.ts';

export const foldersRoutes: readonly Route[] = [
  route(endpoints.getFolders, (call, {include_archived}) => {
    const folders = listFolders(call.db).filter((folder) => include_archived || folder.is_archived === 0);
    return {channel_folders: folders.map((folder) => folderView(call, folder))};
  }),

  route(endpoints.createFolder, (call, params) => ({
    channel_folder_id: createFolder(call, call.actor, params),
  })),

  route(endpoints.reorderFolders, (call, {order}) => reorderFolders(call, order)),

  route(endpoints.updateFolder, (call, {channel_folder_id, ...changes}) =>
    updateFolder(call, channel_folder_id, changes),
  ),
];
