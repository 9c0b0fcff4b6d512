import type {App} from '#app/core/app.ts';
import {matching} from '#app/forms/field-pickers.ts';
import {confirm, openPicker} from '#app/overlays/picker.ts';
import {changeOnServer, requestFromServer, undoOffer} from '#app/requests/server-request.ts';
import {resubscribe, subscribe, unsubscribe, updateChannel} from '#state/actions/channels.ts';
import {openFolders} from '#state/selectors/lists/channel-sections.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {
  canAdministerChannel,
  canReadUnsubscribed,
  canSubscribe,
  isSubscribed,
} from '#state/selectors/permissions/channel-permissions.ts';
import {refusalReason} from '#state/selectors/permissions/permission.ts';
import {composed, joined} from '#std/composed-text.ts';
import type {AppReader} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {featureProblem} from '#wire/server-features.ts';
import {countedNoun} from '#wording/counted-noun.ts';

/** Returns the name of one channel, or the number of several. */
export function channelsTitle({state}: App, channelIds: readonly number[]): string {
  const [first] = channelIds;
  return first !== undefined && channelIds.length === 1
    ? composed`#${channelName(state, first)}`
    : countedNoun(channelIds.length, 'channel');
}

/** Returns the text for channels that the server, or the user's role, did not allow. */
export function refusedText(names: readonly string[]): string {
  return composed`not allowed for ${joined(names.map((name) => composed`#${name}`))}`;
}

/** Subscribes to the channels that are not subscribed; unsubscribes when all of them are. */
export function toggleSubscribed(app: App, channelIds: readonly number[]): void {
  const others = channelIds.filter((id) => !isSubscribed(app.state, id));
  if (others.length > 0) subscribeNow(app, others);
  else unsubscribeOrAsk(app, channelIds);
}

function subscribeNow(app: App, channelIds: readonly number[]): void {
  const {state, clock, session} = app;
  const permissions = channelIds.map((id) => ({id, permission: canSubscribe(state, id, clock.now())}));
  const ids = permissions.flatMap(({id, permission}) => (permission.ok ? [id] : []));
  const [reason] = permissions.flatMap(({permission}) => (permission.ok ? [] : [permission.reason]));
  if (ids.length === 0) {
    if (reason !== undefined) app.toast(reason, 'warning');
    return;
  }
  const known = permissions.flatMap(({id, permission}) => (permission.ok ? [] : [channelName(state, id)]));
  const title = channelsTitle(app, ids);
  requestFromServer(app, {
    progressText: composed`Subscribing to ${title}…`,
    send: async () => {
      const {unauthorized, added: peopleAdded} = await subscribe(session.context, ids);
      const added = [...peopleAdded.keys()].filter((id) => peopleAdded.get(id)?.length);
      if (added.length === 0) throw new Error(notAddedReason(unauthorized, ids.length));
      return {refused: [...known, ...unauthorized], added};
    },
    doneText: ({refused, added}) => {
      const done = undoOffer(app, {
        label: composed`Subscribed to ${channelsTitle(app, added)}`,
        undo: () => unsubscribe(session.context, added),
        undoneText: composed`Unsubscribed from ${channelsTitle(app, added)} again`,
        failureText: composed`Still subscribed to ${channelsTitle(app, added)}`,
      });
      return refused.length === 0 ? done : {...done, note: refusedText(refused)};
    },
    failureText: composed`Not subscribed to ${title}`,
  });
}

/** Returns why the server subscribed the user to none of `count` channels; another client may have joined some meanwhile. */
function notAddedReason(unauthorized: readonly string[], count: number): string {
  if (unauthorized.length === count) return 'a subscriber has to add you.';
  if (unauthorized.length === 0) return 'you are subscribed already.';
  return composed`${refusedText(unauthorized)}; you are subscribed to the others already.`;
}

/** Unsubscribes; asks first if the user could not subscribe again without help. */
function unsubscribeOrAsk(app: App, channelIds: readonly number[]): void {
  const {state, clock} = app;
  const canRejoin = (id: number) => {
    const channel = state.channels.get(id);
    return channel !== undefined && canReadUnsubscribed(state, channel, clock.now());
  };
  const [final] = channelIds.filter((id) => !canRejoin(id));
  const rejoinable = channelIds.filter(canRejoin);
  if (final === undefined) {
    unsubscribeNow(app, channelIds, rejoinable);
    return;
  }
  const title = channelsTitle(app, channelIds);
  confirm(app, {
    title: composed`Unsubscribe from ${title}?`,
    yes: 'Unsubscribe',
    detail: channelIds.length === 1 ? 'you cannot rejoin' : composed`you cannot rejoin #${channelName(state, final)}`,
    onYes: () => unsubscribeNow(app, channelIds, rejoinable),
  });
}

function unsubscribeNow(app: App, channelIds: readonly number[], rejoinable: readonly number[]): void {
  const {context} = app.session;
  const title = channelsTitle(app, channelIds);
  const again = channelsTitle(app, rejoinable);
  const label = composed`Unsubscribed from ${title}`;
  requestFromServer(app, {
    progressText: composed`Unsubscribing from ${title}…`,
    send: () => unsubscribe(context, channelIds),
    doneText: (left) =>
      rejoinable.length === 0
        ? label
        : undoOffer(app, {
            label,
            undo: () => resubscribe(context, {...left, channelIds: rejoinable}),
            undoneText: `Subscribed to ${again} again`,
            failureText: `Not subscribed to ${again}`,
          }),
    failureText: composed`Still subscribed to ${title}`,
  });
}

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
    title: composed`Folder of ${title}`,
    placeholder: 'folder',
    hint: {Enter: 'moves', Esc: 'cancels'},
    rows: (frame, query) => folderRows(frame, channelIds, query),
    startAt: (_frame, _query, rows) => rows.findIndex(({right}) => right !== undefined),
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
  const ids = moved.map(([id]) => id);
  const title = channelsTitle(app, ids);
  const set = async (id: number, to: number | null) => updateChannel(session.context, id, {folder_id: to});
  changeOnServer(app, {
    send: async () => {
      for (const id of ids) await set(id, folderId);
    },
    failureText: composed`${title} not moved`,
    label: composed`Moved ${title} to ${folder}`,
    undo: async () => {
      for (const [id, from] of moved) await set(id, from);
    },
    undoneText: composed`Moved ${title} back`,
    undoFailureText: composed`${title} not moved back`,
  });
}
