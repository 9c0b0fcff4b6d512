import {
  type AdministrationEntry,
  type AdministrationPage,
  administrationText,
} from '#state/selectors/administration-text.ts';
import {userName} from '#state/selectors/names/names.ts';
import {isOwner} from '#state/selectors/permissions/permission.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {openRecordList, type RecordRow, recordAction} from '#ui/forms/record-list.ts';

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
    const page = await app.session.context.api.getAdministrationLog(before === undefined ? {} : {before});
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
