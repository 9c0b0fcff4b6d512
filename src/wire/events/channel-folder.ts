import {folder} from '#wire/objects/folder.ts';
import {type Infer, int, ints, object, s} from '#wire/schema.ts';
import {opped} from './event-fields.ts';

export const channelFolderAdd = object({...opped('channel_folder', 'add'), channel_folder: folder});
export const channelFolderUpdate = object({
  ...opped('channel_folder', 'update'),
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
export const channelFolderReorder = object({...opped('channel_folder', 'reorder'), order: ints});

export type ChannelFolderEvent =
  | Infer<typeof channelFolderAdd>
  | Infer<typeof channelFolderUpdate>
  | Infer<typeof channelFolderReorder>;
