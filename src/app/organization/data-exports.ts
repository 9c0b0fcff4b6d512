import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#app/forms/record-list.ts';
import {saveFile} from '#app/links/open-link.ts';
import {requestFromServer} from '#app/requests/server-request.ts';
import {
  type AdministrationEntry,
  type AdministrationPage,
  administrationText,
} from '#state/selectors/administration-text.ts';
import {userName} from '#state/selectors/names/names.ts';
import {isOwner} from '#state/selectors/permissions/permission.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {namedExportTypes, type WireDataExport} from '#wire/objects/web-client-fields.ts';
import {momentText} from '#wording/moment-text.ts';
import {administratorReason, ownerReason, serverReason} from './organization-rights.ts';

/** By the names of types, and by their numbers on older servers. */
const typeNames: Readonly<Record<string | number, string>> = {
  1: 'Public data',
  2: 'All data of people who consent',
  3: 'All data',
  public: 'Public data',
  full_with_consent: 'All data of people who consent',
  full_without_consent: 'All data',
};

/** Servers say in an event that an export is ready, which this client does not request for this list alone. */
const lookAgainMs = 10_000;

/** Opens the list of data exports, to request, save and delete them. It looks again while one is being written. */
export function openExportList(app: App): void {
  let exports: readonly WireDataExport[] = [];
  let isOpen = true;
  let cancel = () => {};
  const load = async () => {
    const {exports: listed} = await app.api.getExports();
    exports = listed.toSorted((a, b) => b.id - a.id);
    cancel();
    if (isOpen && exports.some(({pending}) => pending)) cancel = app.clock.after(lookAgainMs, () => list.reload());
    return exports;
  };
  const exportOf = ({key}: RecordRow) => exports.find(({id}) => String(id) === key);
  const isReady = (row: RecordRow) => exportOf(row)?.export_url != null;
  const list = openRecordList<readonly WireDataExport[]>(app, {
    id: 'data exports',
    title: 'Data exports',
    empty: 'No exports',
    columns: 84,
    load,
    rows: (frame, loaded) => loaded.map((each) => exportRow(frame, each)),
    add: {
      label: 'New export…',
      disabledReason: administratorReason,
      run: (from, opened) => openExportForm(from, opened.reload),
    },
    actions: [
      recordAction('Enter', 'save', {
        isReadOnly: true,
        disabledReason: (row) => (isReady(row) ? undefined : 'There is no file to save'),
        run: (from, row) => {
          const url = exportOf(row)?.export_url ?? '';
          saveFile(from, {url, name: decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)), kind: 'file'});
        },
      }),
      recordAction('Delete', 'delete', {
        disabledReason: (row) => (isReady(row) ? undefined : 'There is no file to delete'),
        confirm: () => ({
          title: 'Delete the export?',
          yes: 'Delete the export',
          detail: 'the organization stays as it is',
        }),
        run: (from, {key}, opened) =>
          requestFromServer(from, {
            send: () => from.api.deleteExport({export_id: Number(key)}),
            doneText: () => {
              opened.reload();
              return 'Deleted the export';
            },
            failureText: 'The export was not deleted',
          }),
      }),
    ],
    onClose: () => {
      isOpen = false;
      cancel();
    },
  });
}

function exportRow(frame: Frame, each: WireDataExport): RecordRow {
  const {id, export_type: type = 'public', export_time: time, acting_user_id: userId} = each;
  const hasFailed = each.failed_timestamp !== null;
  const state = each.pending ? 'being written' : hasFailed ? 'failed' : undefined;
  return {
    key: String(id),
    label: typeNames[type] ?? String(type),
    detail: `${momentText(frame, time * 1000)} · by ${userName(frame.account, userId)}`,
    right: state ?? (each.deleted_timestamp === null ? 'ready' : 'deleted'),
    rightRole: hasFailed ? 'error' : 'text',
  };
}

function openExportForm(app: App, onRequested: () => void): void {
  openForm<{type: string}>(app, {
    id: 'new export',
    title: 'New data export',
    isNew: true,
    saveLabel: 'Export the data',
    initial: () => ({type: 'public'}),
    disabledReason: administratorReason,
    fields: (frame) => [
      formField('choice', 'type', 'Content', {
        help: 'A Zulip server and “parley serve import” can read it.',
        disabled: serverReason(frame, namedExportTypes),
        choices: ['public', 'full_with_consent'].map((value) => ({value, label: typeNames[value] ?? value})),
      }),
    ],
    save: async (from, _changes, {type}) => {
      const isOld = serverReason(from.frame, namedExportTypes) !== undefined;
      await from.api.requestExport(isOld ? {} : {export_type: type});
      onRequested();
      return {text: 'The server writes the export', hint: 'the list says when it is ready'};
    },
  });
}

const olderKey = 'older';

/** Returns why the user cannot look at the list: it is for owners, and Zulip's servers do not offer theirs to clients. */
export function administrationReason({account}: Frame): string | undefined {
  if (account.server.version?.includes('+parley') !== true) return 'Only Parley’s own server has this list';
  return isOwner(account) ? undefined : 'Only owners can look at this';
}

/** Opens the list of what was changed in the organization, and by whom. Its last row loads older entries. */
export function openAdministrationList(app: App): void {
  let pages: readonly AdministrationPage[] = [];
  const loadNext = async () => {
    const before = pages.at(-1)?.entries.at(-1)?.id;
    const page = await app.api.getAdministrationLog(before === undefined ? {} : {before});
    pages = [...pages, page];
    return pages;
  };
  openRecordList<readonly AdministrationPage[]>(app, {
    id: 'administration',
    title: 'Administration log',
    placeholder: 'find a change or a person',
    empty: 'Nothing was changed yet',
    columns: 100,
    rowsShown: 14,
    // In a narrow terminal and with many settings, only these lines show all of it.
    helpLines: 4,
    load: loadNext,
    rows: (frame, loaded) => {
      const rows = loaded.flatMap(({entries}) => entries).map((entry) => entryRow(frame, entry));
      const hasOlder = loaded.at(-1)?.found_oldest === false;
      return hasOlder ? [...rows, {key: olderKey, label: 'Older changes…'}] : rows;
    },
    actions: [
      recordAction('Enter', 'load older ones', {
        isReadOnly: true,
        appliesTo: ({key}) => key === olderKey,
        run: (_app, _row, list) => list.reload(),
      }),
    ],
  });
}

function entryRow(frame: Frame, entry: AdministrationEntry): RecordRow {
  const who = entry.user_id === null ? 'the operator of the server' : userName(frame.account, entry.user_id);
  const label = administrationText(frame.account, entry);
  return {
    key: String(entry.id),
    label,
    detail: `by ${who}`,
    help: `${label}, by ${who}`,
    right: momentText(frame, entry.time * 1000),
    rightRole: 'text',
  };
}

/** Asks an owner to type the name of the organization, and deactivates it. */
export function openDeactivationForm(app: App): void {
  openForm<{name: string}>(app, {
    id: 'deactivate organization',
    title: 'Deactivate the organization',
    isNew: true,
    saveLabel: 'Deactivate the organization',
    initial: () => ({name: ''}),
    disabledReason: ownerReason,
    fields: ({account}) => {
      const name = account.realm.name ?? '';
      return [
        formField('text', 'name', 'Its name', {
          help: `Everybody is logged out. Nothing is deleted; only the people who run the server can make it usable again. Type “${name}” to confirm.`,
          isRequired: true,
          validate: (typed) => (typed === name ? undefined : `Type “${name}”`),
        }),
      ];
    },
    save: async (from) => {
      await from.api.deactivateRealm();
      return 'Deactivated the organization';
    },
  });
}
