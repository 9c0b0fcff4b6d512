import type {App} from '#app/core/app.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {type RecordRow, recordAction} from '#app/forms/record-list.ts';
import {changeOnServer} from '#app/requests/server-request.ts';
import {updateFolder} from '#state/actions/channels.ts';
import type {Folder} from '#state/slices/folders.ts';
import type {AccountState} from '#state/state.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {getFolders, reorderFolders as reordering} from '#wire/endpoints/channels.ts';
import {isApiFailure} from '#wire/failure.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import type {OrganizationList} from './organization-list.ts';
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

function channelsReason({account}: Frame, id: number): string | undefined {
  const hasChannels = [...account.channels.values()].some(({folderId}) => folderId === id);
  return hasChannels ? 'Only folders without channels can be archived' : undefined;
}

function takenReason({account}: Frame, id: number): string | undefined {
  const name = account.folders.get(id)?.name ?? '';
  return folderNameProblem(account, name, id) === undefined
    ? undefined
    : `There is another folder ${name}: rename it first`;
}

function setArchived(app: App, id: number, isArchived: boolean): void {
  const {context} = app.session;
  const name = app.state.folders.get(id)?.name ?? '';
  const [done, undone] = isArchived ? ['Archived', 'Unarchived'] : ['Unarchived', 'Archived'];
  changeOnServer(app, {
    send: () => updateFolder(context, id, {is_archived: isArchived}),
    failureText: `The folder ${name} was not changed`,
    label: `${done} the folder ${name}`,
    undo: () => updateFolder(context, id, {is_archived: !isArchived}),
    undoneText: `${undone} the folder ${name}`,
  });
}

/** Names are unique among the folders that are not archived. */
function folderNameProblem({folders}: AccountState, name: string, id: number | undefined): string | undefined {
  const isSame = (folder: Folder) => folder.name.toLowerCase() === name.toLowerCase() && folder.id !== id;
  const other = [...folders.values()].find((folder) => !folder.isArchived && isSame(folder));
  return other && `There is already a folder ${other.name}`;
}

function isArchived({key}: Pick<RecordRow, 'key'>, {account}: Frame): boolean {
  return account.folders.get(Number(key))?.isArchived === true;
}

/** The channel folders. They are archived, not removed. */
export const folders = new RecordKind<Folder, {name: string; description: string}, number>({
  noun: 'folder',
  list: {
    id: 'folders',
    title: 'Channel folders',
    empty: 'No folders',
    addLabel: 'New folder…',
    rows: ({account}) => folderRows(account),
    actions: [
      recordAction('Delete', 'archive', {
        appliesTo: (row, frame) => !isArchived(row, frame),
        disabledReason: ({key}, frame) => administratorReason(frame) ?? channelsReason(frame, Number(key)),
        run: (from, {key}) => setArchived(from, Number(key), true),
      }),
      recordAction('Ctrl-T', 'unarchive', {
        appliesTo: isArchived,
        disabledReason: ({key}, frame) => administratorReason(frame) ?? takenReason(frame, Number(key)),
        run: (from, {key}) => setArchived(from, Number(key), false),
      }),
    ],
    order: {
      what: 'folders',
      slice: 'folders',
      keys: (account) => orderedFolders(account).map(({id}) => String(id)),
      send: ({api}, keys) => api.reorderFolders({order: keys.map(Number)}),
      group: (key, frame) => isArchived({key}, frame),
    },
    moveProblem: (frame) => administratorReason(frame) ?? serverReason(frame, reordering),
  },
  keyOf: Number,
  find: (account, id) => account.folders.get(id),
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
  created: ({name}) => ({done: `Created the folder ${name}`}),
  update: (context, id, {changes}) => updateFolder(context, id, changes),
  updated: ({name}, before) => ({
    done: `Changed the folder ${name}`,
    undone: `Restored the folder ${before.name}`,
    notUndone: `The folder ${before.name} was not restored`,
  }),
});

export const folderList: OrganizationList = {
  title: folders.list.title,
  open: folders.open,
  id: 'folders',
  detail: 'groups of channels in the sidebar',
  aliases: ['folders', 'new folder', 'create folder', 'archive folder', 'channel sections'],
  disabledReason: (frame) => serverReason(frame, getFolders),
};
