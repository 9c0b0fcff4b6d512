import {archiveChannel, updateChannel} from '#state/actions/channels.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {canAdministerChannel} from '#state/selectors/permissions/channel-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {confirm} from '#ui/overlays/confirm.ts';
import {undoOffer} from '#ui/undo/undo-request.ts';
import {featureProblem} from '#wire/server-features.ts';

/** Returns why the user cannot archive a channel, or unarchive it if it is archived. */
export function archiveProblem(state: AccountState, channelId: number, nowMs: number): string | undefined {
  const permission = canAdministerChannel(state, channelId, nowMs);
  if (!permission.ok) return permission.reason;
  const isArchived = state.channels.get(channelId)?.isArchived === true;
  return isArchived ? featureProblem(state.server.level, 'unarchive') : undefined;
}

/** Archives a channel after a confirmation, because its subscribers can no longer post. */
export function archiveOrAsk(app: App, channelId: number): void {
  const name = `#${channelName(app.state, channelId)}`;
  confirm(app, {
    title: `Archive ${name}?`,
    yes: 'Archive',
    detail: 'it becomes read-only',
    onYes: () => archive(app, channelId, name),
  });
}

function archive(app: App, channelId: number, name: string): void {
  const {context} = app.session;
  const label = `Archived ${name}`;
  requestFromServer(app, {
    progressText: `Archiving ${name}…`,
    send: () => archiveChannel(context, channelId),
    doneText: () => {
      if (featureProblem(app.state.server.level, 'unarchive') !== undefined) return label;
      return undoOffer(app, {
        label,
        undo: () => updateChannel(context, channelId, {is_archived: false}),
        undoneText: `Unarchived ${name}`,
        failureText: `${name} is still archived`,
      });
    },
    failureText: `${name} was not archived`,
  });
}

export function unarchive(app: App, channelId: number): void {
  const {context} = app.session;
  const name = `#${channelName(app.state, channelId)}`;
  requestFromServer(app, {
    progressText: `Unarchiving ${name}…`,
    send: () => updateChannel(context, channelId, {is_archived: false}),
    doneText: () =>
      undoOffer(app, {
        label: `Unarchived ${name}`,
        undo: () => archiveChannel(context, channelId),
        undoneText: `Archived ${name}`,
        failureText: `${name} was not archived`,
      }),
    failureText: `${name} is still archived`,
  });
}
