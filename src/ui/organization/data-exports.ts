import {userName} from '#state/selectors/names/names.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {saveFile} from '#ui/message-actions/open-link.ts';
import {namedExportTypes, type WireDataExport} from '#wire/objects/web-client-fields.ts';
import {administratorReason, serverReason} from './organization-rights.ts';

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
    const {exports: listed} = await app.session.context.api.getExports();
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
            send: () => from.session.context.api.deleteExport({export_id: Number(key)}),
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
  return {
    key: String(id),
    label: typeNames[type] ?? String(type),
    detail: `${momentText(frame, time * 1000)} · by ${userName(frame.account, userId)}`,
    right: stateText(each),
    rightRole: each.failed_timestamp === null ? 'text' : 'error',
  };
}

function stateText({pending, failed_timestamp, deleted_timestamp}: WireDataExport): string {
  if (pending) return 'being written';
  if (failed_timestamp !== null) return 'failed';
  return deleted_timestamp === null ? 'ready' : 'deleted';
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
      await from.session.context.api.requestExport(isOld ? {} : {export_type: type});
      onRequested();
      return {text: 'The server writes the export', hint: 'the list says when it is ready'};
    },
  });
}
