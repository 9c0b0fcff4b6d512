import type {Act} from '#server/context.ts';
import type {FolderRow} from '#server/db/folders.ts';
import type {Folder} from '#wire/objects/folder.ts';

export function folderView(act: Pick<Act, 'world'>, folder: FolderRow): Folder {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: act.world.rendering.description(folder.description),
    order: folder.sort_order,
    date_created: folder.created_at,
    creator_id: folder.creator_id,
    is_archived: folder.is_archived === 1,
  };
}
