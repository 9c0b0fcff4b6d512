import type {SessionContext} from '#state/session-context.ts';

/** Returns the id of the new folder. */
export async function createFolder(
  {api, signal}: SessionContext,
  folder: {readonly name: string; readonly description?: string},
): Promise<number> {
  const args = {name: folder.name, description: folder.description ?? ''};
  return (await api.createFolder(args, {signal})).channel_folder_id;
}

export async function updateFolder(
  {api, signal}: SessionContext,
  id: number,
  change: {readonly name?: string; readonly description?: string; readonly isArchived?: boolean},
): Promise<void> {
  const {name, description, isArchived} = change;
  await api.updateFolder(
    {
      channel_folder_id: id,
      ...(name !== undefined && {name}),
      ...(description !== undefined && {description}),
      ...(isArchived !== undefined && {is_archived: isArchived}),
    },
    {signal},
  );
}

/** Sets the order of all folders. */
export async function reorderFolders({api, signal}: SessionContext, ids: readonly number[]): Promise<void> {
  await api.reorderFolders({order: [...ids]}, {signal});
}
