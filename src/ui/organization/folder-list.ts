import {isApiFailure} from '#api/failure.ts';
import type {AccountState, Folder} from '#state/state.ts';
import {changeOnServer, undoOffer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {RecordOrder} from '#ui/forms/record-order.ts';
import {reorderFolders as reordering} from '#wire/endpoints/channels.ts';
import {administratorReason, serverReason} from './organization-rights.ts';

const listId = 'folders';

function orderedFolders({folders}: AccountState): readonly Folder[] {
  return [...folders.values()].sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || a.id - b.id);
}

/** Opens the list of channel folders, to create, change, move, archive and unarchive them. */
export function openFolderList(app: App): void {
  const order = new RecordOrder({
    listId,
    what: 'folders',
    slice: 'folders',
    keys: (account) => orderedFolders(account).map(({id}) => String(id)),
    send: ({session}, keys) => session.context.api.reorderFolders({order: keys.map(Number)}),
  });
  const isArchived = ({account}: Frame, key: string) => account.folders.get(Number(key))?.isArchived === true;
  openRecordList(app, {
    id: listId,
    title: 'Channel folders',
    empty: 'No folders',
    rows: ({account}) => order.sorted(account, folderRows(account)),
    add: {
      label: 'New folder…',
      disabledReason: administratorReason,
      run: (from) => openFolderForm(from, undefined),
    },
    actions: [
      recordAction('Enter', 'edit', {isReadOnly: true, run: (from, {key}) => openFolderForm(from, Number(key))}),
      recordAction('Delete', 'archive', {
        appliesTo: ({key}, frame) => !isArchived(frame, key),
        disabledReason: ({key}, frame) => administratorReason(frame) ?? channelsReason(frame, Number(key)),
        run: (from, {key}) => setArchived(from, Number(key), true),
      }),
      recordAction('Ctrl-T', 'unarchive', {
        appliesTo: ({key}, frame) => isArchived(frame, key),
        disabledReason: ({key}, frame) => administratorReason(frame) ?? takenReason(frame, Number(key)),
        run: (from, {key}) => setArchived(from, Number(key), false),
      }),
    ],
    move: (from, row, step) => {
      const isSection = isArchived(from.frame, row.key);
      order.move(from, row, step, (key) => isArchived(from.frame, key) === isSection);
    },
    moveProblem: (frame) => administratorReason(frame) ?? serverReason(frame, reordering),
  });
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
  return nameProblem(account, name, id) === undefined ? undefined : `There is another folder ${name}: rename it first`;
}

function setArchived(app: App, id: number, isArchived: boolean): void {
  const {context} = app.session;
  const name = app.state.folders.get(id)?.name ?? '';
  const [done, undone] = isArchived ? ['Archived', 'Unarchived'] : ['Unarchived', 'Archived'];
  changeOnServer(app, {
    send: () => context.api.updateFolder({channel_folder_id: id, is_archived: isArchived}),
    failureText: `The folder ${name} was not changed`,
    label: `${done} the folder ${name}`,
    undo: () => context.api.updateFolder({channel_folder_id: id, is_archived: !isArchived}),
    undoneText: `${undone} the folder ${name}`,
  });
}

type FolderValues = {name: string; description: string};

function openFolderForm(app: App, id: number | undefined): void {
  openForm<FolderValues>(app, {
    id: `folder ${id ?? 'new'}`,
    title: id === undefined ? 'New channel folder' : 'Channel folder',
    ...(id === undefined && {isNew: true as const, saveLabel: 'Create the folder'}),
    initial: ({account}) => {
      const {name = '', description = ''} = account.folders.get(id ?? -1) ?? {};
      return {name, description};
    },
    disabledReason: administratorReason,
    fields: ({account}) => {
      return [
        formField('text', 'name', 'Name', {
          isRequired: true,
          maxLength: account.server.maxChannelFolderNameLength ?? 60,
          validate: (name) => nameProblem(account, name, id),
        }),
        formField('text', 'description', 'Description', {
          help: 'Markdown works.',
          maxLength: account.server.maxChannelFolderDescriptionLength ?? 1024,
        }),
      ];
    },
    errorField: (error) => (isApiFailure(error) && /name/.test(error.message) ? 'name' : undefined),
    save: async (from, changes, values, before) => {
      const {context} = from.session;
      if (id === undefined) {
        await context.api.createFolder(values);
        return `Created the folder ${values.name}`;
      }
      await context.api.updateFolder({channel_folder_id: id, ...changes});
      return undoOffer(from, {
        label: `Changed the folder ${values.name}`,
        undo: () => context.api.updateFolder({channel_folder_id: id, ...before}),
        undoneText: `Restored the folder ${before.name}`,
        failureText: `The folder ${before.name} was not restored`,
      });
    },
  });
}

/** Names are unique among the folders that are not archived. */
function nameProblem({folders}: AccountState, name: string, id: number | undefined): string | undefined {
  const isSame = (folder: Folder) => folder.name.toLowerCase() === name.toLowerCase() && folder.id !== id;
  const other = [...folders.values()].find((folder) => !folder.isArchived && isSame(folder));
  return other === undefined ? undefined : `There is already a folder ${other.name}`;
}
