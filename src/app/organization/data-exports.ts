import type {App} from '#app/core/app.ts';
import {openForm} from '#app/forms/open-form.ts';
import {RecordKind} from '#app/forms/record-kind.ts';
import {openRecordList, type RecordRow, recordAction} from '#app/forms/record-list.ts';
import {saveFile} from '#app/links/open-link.ts';
import {deactivateOrganization, deleteDataExport, requestDataExport} from '#state/actions/administration.ts';
import {administrationPage, dataExports} from '#state/fetches/queries.ts';
import {
  type AdministrationEntry,
  type AdministrationPage,
  administrationText,
} from '#state/selectors/administration-text.ts';
import {userName} from '#state/selectors/names/names.ts';
import {isOwner} from '#state/selectors/permissions/permission.ts';
import {composed} from '#std/composed-text.ts';
import {formField} from '#ui/core/form.ts';
import {type Frame, fetched} from '#ui/core/frame.ts';
import {namedExportTypes, type WireDataExport} from '#wire/objects/web-client-fields.ts';
import {momentText} from '#wording/moment-text.ts';
import {type OrganizationList, organizationList} from './organization-list.ts';
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

function exportRow(frame: Frame, each: WireDataExport): RecordRow {
  const {id, export_type: type = 'public', export_time: time, acting_user_id: userId} = each;
  const hasFailed = each.failed_timestamp !== null;
  const state = each.pending ? 'being written' : hasFailed ? 'failed' : undefined;
  return {
    key: String(id),
    label: typeNames[type] ?? String(type),
    detail: composed`${momentText(frame, time * 1000)} · by ${userName(frame.account, userId)}`,
    right: state ?? (each.deleted_timestamp === null ? 'ready' : 'deleted'),
    rightRole: hasFailed ? 'error' : 'text',
  };
}

/** The data exports, to request, save and delete them. The list looks again while one is being written. */
const exportKind = new RecordKind<WireDataExport, {type: string}, number>({
  noun: 'export',
  list: {
    id: 'exports',
    title: 'Data exports',
    empty: 'No exports',
    columns: 84,
    addLabel: 'New export…',
    reads: [dataExports()],
    rows: (frame, [all = []]) => all.map((each) => exportRow(frame, each)),
    actions: [
      recordAction('Enter', 'saves', {
        isReadOnly: true,
        disabledReason: ({key}, frame) => (fileOf(frame, key) === undefined ? 'There is no file to save' : undefined),
        run: (from, {key}) => {
          const url = fileOf(from.frame, key) ?? '';
          saveFile(from, {url, name: decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)), kind: 'file'});
        },
      }),
    ],
  },
  keyOf: Number,
  find: exportOf,
  changeReason: administratorReason,
  form: {
    newTitle: 'New data export',
    createLabel: 'Export the data',
    values: () => ({type: 'public'}),
    fields: (frame) => [
      formField('choice', 'type', 'Content', {
        help: 'A Zulip server and “parley serve import” can read it.',
        disabled: serverReason(frame, namedExportTypes),
        choices: ['public', 'full_with_consent'].map((value) => ({value, label: typeNames[value] ?? value})),
      }),
    ],
  },
  create: async (context, {type}, {app}) => {
    const isOld = serverReason(app.frame, namedExportTypes) !== undefined;
    await requestDataExport(context, isOld ? undefined : type);
    return undefined;
  },
  created: () => ({done: 'The server writes the export', hint: 'the list says when it is ready'}),
  removal: {
    hint: 'deletes',
    reason: (_frame, {export_url: url}) => (url == null ? 'There is no file to delete' : undefined),
    remove: deleteDataExport,
    confirm: () => ({title: 'Delete the export?', yes: 'Delete the export', detail: 'the organization stays as it is'}),
    texts: () => ({done: 'Deleted the export', failed: 'The export was not deleted'}),
  },
});

function exportOf(frame: Frame, id: number): WireDataExport | undefined {
  return fetched(frame, dataExports()).data?.find((one) => one.id === id);
}

/** Returns the address of the file that a row stands for, if there is one. */
function fileOf(frame: Frame, rowKey: string): string | undefined {
  return exportOf(frame, Number(rowKey))?.export_url ?? undefined;
}

const olderKey = 'older';

/** Returns why the user cannot look at the list: it is for owners, and Zulip's servers do not offer theirs to clients. */
export function administrationReason({account}: Frame): string | undefined {
  if (account.server.version?.includes('+parley') !== true) return 'Only Parley’s own server has this list';
  return isOwner(account) ? undefined : 'Only owners can look at this';
}

/** Opens the list of what was changed in the organization, and by whom. Its last row loads older entries. */
export function openAdministrationList(app: App): void {
  openRecordList(app, {
    id: 'administration',
    title: 'Administration log',
    placeholder: 'find a change or a person',
    empty: 'Nothing was changed yet',
    columns: 100,
    rowsShown: 14,
    // In a narrow terminal and with many settings, only these lines show all of it.
    helpLines: 4,
    reads: [administrationPage(undefined)],
    rows: (frame) => {
      const {pages, next} = fetchedPages(frame);
      const rows = pages.flatMap(({entries}) => entries).map((entry) => entryRow(frame, entry));
      return next === undefined ? rows : [...rows, {key: olderKey, label: 'Older changes…'}];
    },
    actions: [
      recordAction('Enter', 'loads older ones', {
        isReadOnly: true,
        appliesTo: ({key}) => key === olderKey,
        run: (from, _row, list) => {
          const {next} = fetchedPages(from.frame);
          if (next !== undefined) list.read(next);
        },
      }),
    ],
  });
}

/** Returns the pages from the newest entry on without a gap, and the request for the next one if there is one. */
function fetchedPages(frame: Frame) {
  const pages: AdministrationPage[] = [];
  for (let next = administrationPage(undefined); ; ) {
    const page = fetched(frame, next).data;
    if (page === undefined) return {pages, next};
    pages.push(page);
    const last = page.entries.at(-1);
    if (page.found_oldest !== false || last === undefined) return {pages, next: undefined};
    next = administrationPage(last.id);
  }
}

function entryRow(frame: Frame, entry: AdministrationEntry): RecordRow {
  const who = entry.user_id === null ? 'the operator of the server' : userName(frame.account, entry.user_id);
  const label = administrationText(frame.account, entry);
  return {
    key: String(entry.id),
    label,
    detail: composed`by ${who}`,
    help: composed`${label}, by ${who}`,
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
          help: composed`Everybody is logged out. Nothing is deleted; only the people who run the server can make it usable again. Type “${name}” to confirm.`,
          isRequired: true,
          validate: (typed) => (typed === name ? undefined : composed`Type “${name}”`),
        }),
      ];
    },
    save: async (from) => {
      await deactivateOrganization(from.session.context);
      return 'Deactivated the organization';
    },
  });
}

export const exportList = organizationList(exportKind, {
  detail: 'to move or to keep everything',
  aliases: ['export', 'data export', 'backup of the organization', 'download everything'],
  disabledReason: administratorReason,
});

export const administrationList: OrganizationList = {
  id: 'administration',
  title: 'Administration log',
  detail: 'who changed what',
  aliases: ['audit log', 'audit', 'who changed what', 'history of changes', 'log of changes'],
  disabledReason: administrationReason,
  open: openAdministrationList,
};
