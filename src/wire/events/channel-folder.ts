import {folder} from '#wire/objects/folder.ts';
import {type Infer, int, ints, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const channelFolderAdd = object({
  ...eventFieldsWithOp('channel_folder', 'add'),
  channel_folder: folder,
});
export const channelFolderUpdate = object({
  ...eventFieldsWithOp('channel_folder', 'update'),
  channel_folder_id: int,
  data: object(
    {},
    {
      name: s.string(),
      description: s.string(),
      rendered_description: s.string(),
      is_archived: s.boolean(),
    },
  ),
});
export const channelFolderReorder = object({...eventFieldsWithOp('channel_folder', 'reorder'), order: ints});

export type ChannelFolderEvent =
  | Infer<typeof channelFolderAdd>
  | Infer<typeof channelFolderUpdate>
  | Infer<typeof channelFolderReorder>;
