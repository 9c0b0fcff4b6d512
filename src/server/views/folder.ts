import type {ActionContext} from '#server/context.ts';
import type {FolderRow} from '#server/db/folders.ts';
import type {WireFolder} from '#wire/objects/folder.ts';

export function folderView(act: Pick<ActionContext, 'world'>, folder: FolderRow): WireFolder {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: act.world.renderer.descriptionHtml(folder.description),
    order: folder.sort_order,
    date_created: folder.created_at,
    creator_id: folder.creator_id,
    is_archived: folder.is_archived === 1,
  };
}
