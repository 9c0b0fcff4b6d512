import {RecordKind} from '#app/forms/record-kind.ts';
import type {RecordRow} from '#app/forms/record-list.ts';
import {updateFolder} from '#state/actions/channels.ts';
import type {Folder} from '#state/slices/folders.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {getFolders, reorderFolders as reordering} from '#wire/endpoints/channels.ts';
import {isApiFailure} from '#wire/failure.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {organizationList} from './organization-list.ts';
import {administratorReason, serverReason} from './organization-rights.ts';

function orderedFolders({folders}: AccountState): readonly Folder[] {
  return [...folders.values()].sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || a.id - b.id);
}

/** Returns the rows of the folders; archived ones are marked. */
function folderRows(account: AccountState): readonly RecordRow[] {
  const counts = new Map<number, number>();
  for (const {folderId} of account.channels.values()) {
    if (typeof folderId === 'number') counts.set(folderId, (counts.get(folderId) ?? 0) + 1);
  }
  return orderedFolders(account).map(({id, name, description, isArchived}) => ({
    key: String(id),
    label: name,
    detail: description,
    right: isArchived ? 'archived' : countedNoun(counts.get(id) ?? 0, 'channel'),
    rightRole: 'dim',
    ...(isArchived && {role: 'disabled' as const}),
  }));
}

function channelsReason({account}: Frame, {id}: Folder): string | undefined {
  const hasChannels = [...account.channels.values()].some(({folderId}) => folderId === id);
  return hasChannels ? 'Only folders without channels can be archived' : undefined;
}

function takenReason({account}: Frame, {id, name}: Folder): string | undefined {
  return folderNameProblem(account, name, id) === undefined
    ? undefined
    : composed`There is another folder ${name}: rename it first`;
}

/** Names are unique among the folders that are not archived. */
function folderNameProblem({folders}: AccountState, name: string, id: number | undefined): string | undefined {
  const isSame = (folder: Folder) => folder.name.toLowerCase() === name.toLowerCase() && folder.id !== id;
  const other = [...folders.values()].find((folder) => !folder.isArchived && isSame(folder));
  return other && composed`There is already a folder ${other.name}`;
}

/** The channel folders. They are archived, not removed. */
const folders = new RecordKind<Folder, {name: string; description: string}, number>({
  noun: 'folder',
  list: {
    id: 'folders',
    title: 'Channel folders',
    empty: 'No folders',
    addLabel: 'New folder…',
    rows: ({account}) => folderRows(account),
    order: {
      what: 'folders',
      slice: 'folders',
      keys: (account) => orderedFolders(account).map(({id}) => String(id)),
      send: ({api}, keys) => api.reorderFolders({order: keys.map(Number)}),
      group: (key, {account}) => account.folders.get(Number(key))?.isArchived,
    },
    moveProblem: (frame) => administratorReason(frame) ?? serverReason(frame, reordering),
  },
  keyOf: Number,
  find: ({account}, id) => account.folders.get(id),
  changeReason: administratorReason,
  form: {
    title: 'Channel folder',
    newTitle: 'New channel folder',
    createLabel: 'Create the folder',
    values: (folder) => ({name: folder?.name ?? '', description: folder?.description ?? ''}),
    fields: ({account}, _values, folder) => [
      formField('text', 'name', 'Name', {
        isRequired: true,
        maxLength: account.server.maxChannelFolderNameLength ?? 60,
        validate: (name) => folderNameProblem(account, name, folder?.id),
      }),
      formField('text', 'description', 'Description', {
        help: 'Markdown works.',
        maxLength: account.server.maxChannelFolderDescriptionLength ?? 1024,
      }),
    ],
    errorField: (error) => (isApiFailure(error) && /name/.test(error.message) ? 'name' : undefined),
  },
  create: async ({api}, values) => (await api.createFolder(values)).channel_folder_id,
  created: ({name}) => ({done: composed`Created the folder ${name}`}),
  change: {
    update: (context, id, {changes}) => updateFolder(context, id, changes),
    texts: ({values: {name}, before}) => ({
      done: composed`Changed the folder ${name}`,
      undone: composed`Restored the folder ${before.name}`,
      notUndone: composed`The folder ${before.name} was not restored`,
    }),
  },
  removal: {
    hint: 'archives',
    reason: channelsReason,
    remove: (context, id) => updateFolder(context, id, {is_archived: true}),
    texts: ({name}) => {
      const failed = composed`The folder ${name} was not changed`;
      return {
        done: composed`Archived the folder ${name}`,
        undone: composed`Unarchived the folder ${name}`,
        failed,
        notUndone: failed,
      };
    },
    restore: async (context, {id}) => {
      await updateFolder(context, id, {is_archived: false});
      return id;
    },
    restoring: {
      key: 'Ctrl-T',
      hint: 'unarchives',
      isRemoved: ({isArchived}) => isArchived,
      reason: (frame, folder) => administratorReason(frame) ?? takenReason(frame, folder),
    },
  },
});

export const folderList = organizationList(folders, {
  detail: 'groups of channels in the sidebar',
  aliases: ['folders', 'new folder', 'create folder', 'archive folder', 'channel sections'],
  disabledReason: (frame) => serverReason(frame, getFolders),
});
