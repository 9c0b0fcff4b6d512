import {updateChannel} from '#state/actions/channels.ts';
import {openFolders} from '#state/selectors/lists/channel-sections.ts';
import {canAdministerChannel} from '#state/selectors/permissions/channel-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {matching} from '#ui/forms/field-pickers.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {featureProblem} from '#wire/server-features.ts';
import {channelsTitle} from './subscribe.ts';

/** Returns why the user cannot move channels to a folder. */
export function folderProblem({state, clock}: AppReader, channelIds: readonly number[]): string | undefined {
  const tooOld = featureProblem(state.server.level, 'channelFolders');
  const reasons = channelIds.map((id) => refusalReason(canAdministerChannel(state, id, clock.now())));
  const problem = tooOld ?? reasons.find((reason) => reason !== undefined);
  if (problem !== undefined) return problem;
  return openFolders(state).length === 0 ? 'The organization has no channel folders' : undefined;
}

const noFolder = 'none';

/** Opens the list of folders, to move channels to one of them or out of theirs. */
export function openFolderPicker(app: App, channelIds: readonly number[]): void {
  const title = channelsTitle(app, channelIds);
  openPicker(app, {
    id: 'channel folder',
    title: `Folder of ${title}`,
    placeholder: 'folder',
    hint: {Enter: 'moves', Esc: 'cancels'},
    rows: (frame, query) => folderRows(frame, channelIds, query),
    startAt: (_frame, _query, rows) =>
      Math.max(
        0,
        rows.findIndex(({right}) => right !== undefined),
      ),
    accept: (from, {key, label}) => {
      from.closeOverlay();
      moveToFolder(from, channelIds, key === noFolder ? null : Number(key), key === noFolder ? 'no folder' : label);
    },
  });
}

function folderRows({account}: Frame, channelIds: readonly number[], query: string): readonly PickerRow[] {
  const current = new Set(channelIds.map((id) => account.channels.get(id)?.folderId ?? null));
  const rows = [
    {id: null, name: 'No folder', description: undefined},
    ...openFolders(account).map(({id, name, description}) => ({id, name, description})),
  ];
  return rows.flatMap(({id, name, description}) =>
    matching(query, name).map((matched): PickerRow => {
      const right = current.size === 1 && current.has(id) ? 'now' : undefined;
      return {key: id === null ? noFolder : String(id), label: name, detail: description, matched, right};
    }),
  );
}

function moveToFolder(app: App, channelIds: readonly number[], folderId: number | null, folder: string): void {
  const {state, session} = app;
  const before = channelIds.map((id) => [id, state.channels.get(id)?.folderId ?? null] as const);
  const moved = before.filter(([, from]) => from !== folderId);
  if (moved.length === 0) return;
  const title = channelsTitle(
    app,
    moved.map(([id]) => id),
  );
  const set = async (id: number, to: number | null) => updateChannel(session.context, id, {folder_id: to});
  requestFromServer(app, {
    send: async () => {
      for (const [id] of moved) await set(id, folderId);
    },
    doneText: () =>
      undoOffer(app, {
        label: `Moved ${title} to ${folder}`,
        undo: async () => {
          for (const [id, from] of moved) await set(id, from);
        },
        undoneText: `Moved ${title} back`,
        failureText: `${title} not moved back`,
      }),
    failureText: `${title} not moved`,
  });
}
