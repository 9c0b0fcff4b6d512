import type {SessionContext} from '#state/session-context.ts';

/** Returns the id of the new folder. */
export async function createFolder(
  {api}: SessionContext,
  folder: {readonly name: string; readonly description?: string},
): Promise<number> {
  const args = {name: folder.name, description: folder.description ?? ''};
  return (await api.createFolder(args)).channel_folder_id;
}

export async function updateFolder(
  {api}: SessionContext,
  id: number,
  change: {readonly name?: string; readonly description?: string; readonly isArchived?: boolean},
): Promise<void> {
  const {name, description, isArchived} = change;
  await api.updateFolder({
    channel_folder_id: id,
    ...(name !== undefined && {name}),
    ...(description !== undefined && {description}),
    ...(isArchived !== undefined && {is_archived: isArchived}),
  });
}
