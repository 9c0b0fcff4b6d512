import {endpoint, fallback, flag, ids, limitedText, optional, pathId} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {folder} from '#wire/objects/folder.ts';
import {int, object, s} from '#wire/schema.ts';

export const getFolders = endpoint('folder.list', 'GET /channel_folders', {
  since: levels.channelFolders,
  params: {include_archived: fallback(flag, false)},
  result: object({channel_folders: s.array(folder)}),
});

/** Creates a folder. The description is required, but may be empty. */
export const createFolder = endpoint('folder.create', 'POST /channel_folders/create', {
  since: levels.channelFolders,
  params: {name: limitedText(60), description: limitedText(1024)},
  result: object({channel_folder_id: int}),
});

/** Reorders the folders; `order` contains the ids of all folders. */
export const reorderFolders = endpoint('folder.reorder', 'PATCH /channel_folders', {
  since: levels.folderOrder,
  params: {order: ids},
});

export const updateFolder = endpoint('folder.update', 'PATCH /channel_folders/{channel_folder_id}', {
  since: levels.channelFolders,
  params: {
    channel_folder_id: pathId,
    name: optional(limitedText(60)),
    description: optional(limitedText(1024)),
    is_archived: optional(flag),
  },
});
