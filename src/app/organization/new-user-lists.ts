import {isApiFailure} from '#api/failure.ts';
import {openChannelCard} from '#app/channels/channel-card.ts';
import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction, viewAction} from '#app/forms/record-list.ts';
import {changeOnServer, undoOffer} from '#app/requests/server-request.ts';
import {setDefaultChannel} from '#state/actions/channels.ts';
import {channelName, sortedByName} from '#state/selectors/names/names.ts';
import type {Folder} from '#state/slices/folders.ts';
import type {AccountState} from '#state/state.ts';
import {domainProblem} from '#std/domain-name.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {reorderFolders as reordering} from '#wire/endpoints/channels.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {administratorReason, ownerReason, serverReason} from './organization-rights.ts';

/** Opens the list of domains of the email addresses that may join, to add, change and remove them. */
export function openDomainList(app: App): void {
  openRecordList(app, {
    id: 'domains',
    title: 'Allowed email domains',
    empty: 'No domains: addresses of all domains can join',
    columns: 76,
    rows: domainRows,
    add: {label: 'New domain…', disabledReason: changeReason, run: (from) => openDomainForm(from, undefined)},
    actions: [
      viewAction('Enter', 'edit', (from, {key}) => openDomainForm(from, key)),
      recordAction('Delete', 'remove', {
        disabledReason: (_row, frame) => changeReason(frame),
        confirm: ({label}, {account}) => {
          const isLast = account.domains.length === 1 && account.realm.emailsRestrictedToDomains === true;
          const detail = 'the last one: addresses of all domains can join';
          return {title: `Remove the domain ${label}?`, yes: 'Remove', ...(isLast && {detail})};
        },
        run: (from, {key}) => remove(from, key),
      }),
    ],
  });
}

/** Returns the domains, under a title that says whether they restrict who can join: a switch decides that. */
function domainRows({account: {domains, realm}}: Frame): readonly RecordRow[] {
  if (domains.length === 0) return [];
  const label = realm.emailsRestrictedToDomains === true ? 'Only these can join' : 'Not enforced: all domains can join';
  const detail = realm.emailsRestrictedToDomains === true ? undefined : '“Only allowed domains” is off';
  return [
    {key: 'state', label, detail, isTitle: true},
    ...sortedByName(domains, ({domain}) => domain).map(
      ({domain, allow_subdomains: hasSubdomains}): RecordRow => ({
        key: domain,
        label: domain,
        detail: hasSubdomains ? 'and its subdomains' : undefined,
      }),
    ),
  ];
}

function changeReason(frame: Frame): string | undefined {
  return frame.account.server.abilities.domainsByOwners ? ownerReason(frame) : administratorReason(frame);
}

function openDomainForm(app: App, domain: string | undefined): void {
  const recordIn = ({account}: Frame) => account.domains.find((one) => one.domain === domain);
  openForm<{domain: string; hasSubdomains: boolean}>(app, {
    id: `domain ${domain ?? ''}`,
    title: domain === undefined ? 'New domain' : 'Allowed email domain',
    ...(domain === undefined && {isNew: true as const, saveLabel: 'Add the domain'}),
    initial: (frame) => ({domain: domain ?? '', hasSubdomains: recordIn(frame)?.allow_subdomains ?? false}),
    disabledReason: changeReason,
    fields: (frame) => {
      if (domain !== undefined && recordIn(frame) === undefined) return [];
      return [
        formField('text', 'domain', 'Domain', {
          placeholder: 'example.com',
          isRequired: true,
          disabled: domain === undefined ? undefined : 'A domain has its name for ever: add another one',
          validate: (typed) => {
            const name = typed.toLowerCase();
            const isTaken = frame.account.domains.some((one) => one.domain === name);
            return isTaken ? `${name} is already allowed` : domainProblem(name);
          },
        }),
        formField('switch', 'hasSubdomains', 'Subdomains', {
          help: 'Addresses of subdomains such as mail.example.com can join too.',
        }),
      ];
    },
    errorField: () => (domain === undefined ? 'domain' : 'hasSubdomains'),
    save: async (from, _changes, {domain: name, hasSubdomains}) => {
      const {api} = from.session.context;
      if (domain === undefined) {
        await api.addDomain({domain: name, allow_subdomains: hasSubdomains});
        return undoOffer(from, {
          label: `Allowed ${name}`,
          undo: () => api.removeDomain({domain: name}),
          undoneText: `Removed the domain ${name}`,
          failureText: `${name} was not removed`,
        });
      }
      await api.updateDomain({domain, allow_subdomains: hasSubdomains});
      const [done, undone] = hasSubdomains ? ['Allowed', 'Excluded'] : ['Excluded', 'Allowed'];
      return undoOffer(from, {
        label: `${done} subdomains of ${domain}`,
        undo: () => api.updateDomain({domain, allow_subdomains: !hasSubdomains}),
        undoneText: `${undone} subdomains of ${domain}`,
        failureText: `${domain} was not changed`,
      });
    },
  });
}

function remove(app: App, domain: string): void {
  const {api} = app;
  const {domains, realm} = app.state;
  const hasSubdomains = domains.find((one) => one.domain === domain)?.allow_subdomains ?? false;
  // The server turns the restriction off with the last domain.
  const turnsOff = domains.length === 1 && realm.emailsRestrictedToDomains === true;
  changeOnServer(app, {
    send: () => api.removeDomain({domain}),
    failureText: `${domain} was not removed`,
    label: `Removed the domain ${domain}`,
    undo: async () => {
      await api.addDomain({domain, allow_subdomains: hasSubdomains});
      if (turnsOff) await api.updateRealm({emails_restricted_to_domains: true});
    },
    undoneText: `Allowed ${domain} again`,
    undoFailureText: `${domain} was not added again`,
  });
}

/** Opens the list of channels that new users are subscribed to, to add and remove them. */
export function openDefaultChannelList(app: App): void {
  openRecordList(app, {
    id: 'default channels',
    title: 'Default channels',
    empty: 'New users are subscribed to no channel',
    rows: ({account}) => {
      const known = [...account.defaultChannels].filter((id) => account.channels.has(id));
      return sortedByName(known, (id) => channelName(account, id)).map(
        (id): RecordRow => ({
          key: String(id),
          label: `#${channelName(account, id)}`,
          detail: account.channels.get(id)?.description,
        }),
      );
    },
    add: {label: 'Add channels…', disabledReason: administratorReason, run: openAddForm},
    actions: [
      viewAction('Enter', 'details', (from, {key}) => openChannelCard(from, Number(key))),
      recordAction('Delete', 'remove', {
        disabledReason: (_row, frame) => administratorReason(frame),
        run: (from, {key, label}) =>
          changeOnServer(from, {
            send: () => setDefaultChannel(from.session.context, Number(key), false),
            failureText: `${label} was not removed`,
            label: `Removed ${label} from the default channels`,
            undo: () => setDefaultChannel(from.session.context, Number(key), true),
            undoneText: `${label} is a default channel again`,
            undoFailureText: `${label} was not added again`,
          }),
      }),
    ],
  });
}

function openAddForm(app: App): void {
  openForm<{channelIds: readonly number[]}>(app, {
    id: 'add default channels',
    title: 'Add default channels',
    saveLabel: 'Add',
    initial: () => ({channelIds: []}),
    fields: (frame) => [
      formField('channels', 'channelIds', 'Channels', {
        help: 'New users are subscribed to them. Private channels cannot be chosen.',
        disabled: administratorReason(frame),
        isOffered: (id, {account}) => {
          const channel = account.channels.get(id);
          return channel?.isPrivate === false && channel.isArchived !== true && !account.defaultChannels.has(id);
        },
      }),
    ],
    save: async (from, _changes, {channelIds}) => {
      const {context} = from.session;
      const setAll = async (isDefault: boolean) => {
        for (const id of channelIds) await setDefaultChannel(context, id, isDefault);
      };
      await setAll(true);
      return undoOffer(from, {
        label: `Added ${countedNoun(channelIds.length, 'default channel')}`,
        undo: () => setAll(false),
        undoneText: `Removed ${countedNoun(channelIds.length, 'default channel')}`,
        failureText: 'The default channels were not removed',
      });
    },
  });
}

function orderedFolders({folders}: AccountState): readonly Folder[] {
  return [...folders.values()].sort((a, b) => (a.order ?? 0) - (b.order ?? 0) || a.id - b.id);
}

/** Opens the list of channel folders, to create, change, move, archive and unarchive them. */
export function openFolderList(app: App): void {
  const isArchived = ({account}: Frame, key: string) => account.folders.get(Number(key))?.isArchived === true;
  openRecordList(app, {
    id: 'folders',
    title: 'Channel folders',
    empty: 'No folders',
    rows: ({account}) => folderRows(account),
    add: {
      label: 'New folder…',
      disabledReason: administratorReason,
      run: (from) => openFolderForm(from, undefined),
    },
    actions: [
      viewAction('Enter', 'edit', (from, {key}) => openFolderForm(from, Number(key))),
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
    order: {
      what: 'folders',
      slice: 'folders',
      keys: (account) => orderedFolders(account).map(({id}) => String(id)),
      send: ({api}, keys) => api.reorderFolders({order: keys.map(Number)}),
      group: (key, frame) => isArchived(frame, key),
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
  return folderNameProblem(account, name, id) === undefined
    ? undefined
    : `There is another folder ${name}: rename it first`;
}

function setArchived(app: App, id: number, isArchived: boolean): void {
  const {api} = app;
  const name = app.state.folders.get(id)?.name ?? '';
  const [done, undone] = isArchived ? ['Archived', 'Unarchived'] : ['Unarchived', 'Archived'];
  changeOnServer(app, {
    send: () => api.updateFolder({channel_folder_id: id, is_archived: isArchived}),
    failureText: `The folder ${name} was not changed`,
    label: `${done} the folder ${name}`,
    undo: () => api.updateFolder({channel_folder_id: id, is_archived: !isArchived}),
    undoneText: `${undone} the folder ${name}`,
  });
}

function openFolderForm(app: App, id: number | undefined): void {
  openForm<{name: string; description: string}>(app, {
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
          validate: (name) => folderNameProblem(account, name, id),
        }),
        formField('text', 'description', 'Description', {
          help: 'Markdown works.',
          maxLength: account.server.maxChannelFolderDescriptionLength ?? 1024,
        }),
      ];
    },
    errorField: (error) => (isApiFailure(error) && /name/.test(error.message) ? 'name' : undefined),
    save: async (from, changes, values, before) => {
      const {api} = from;
      if (id === undefined) {
        await api.createFolder(values);
        return `Created the folder ${values.name}`;
      }
      await api.updateFolder({channel_folder_id: id, ...changes});
      return undoOffer(from, {
        label: `Changed the folder ${values.name}`,
        undo: () => api.updateFolder({channel_folder_id: id, ...before}),
        undoneText: `Restored the folder ${before.name}`,
        failureText: `The folder ${before.name} was not restored`,
      });
    },
  });
}

/** Names are unique among the folders that are not archived. */
function folderNameProblem({folders}: AccountState, name: string, id: number | undefined): string | undefined {
  const isSame = (folder: Folder) => folder.name.toLowerCase() === name.toLowerCase() && folder.id !== id;
  const other = [...folders.values()].find((folder) => !folder.isArchived && isSame(folder));
  return other && `There is already a folder ${other.name}`;
}
