import {isRefusal} from '#api/failure.ts';
import {deactivateGroup, updateGroup} from '#state/actions/groups.ts';
import {channelName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {groupLabel} from '#ui/forms/group-setting-text.ts';
import type {ErrorBody} from '#wire/errors.ts';
import {featureProblem} from '#wire/server-features.ts';

/** Returns what to ask before a group is deactivated; older servers delete it. */
export function deactivateTexts({server}: AccountState, name: string) {
  return server.abilities.deactivatedGroups
    ? {title: `Deactivate the group ${name}?`, yes: 'Deactivate the group', detail: 'nobody can mention it'}
    : {title: `Delete the group ${name}?`, yes: 'Delete the group', detail: 'cannot be undone'};
}

export function reactivateProblem({server}: AccountState): string | undefined {
  return featureProblem(server.level, 'reactivatedGroups');
}

export function deactivate(app: App, groupId: number): void {
  const name = groupLabel(app.state, groupId);
  requestFromServer(app, {
    send: () => deactivateGroup(app.session.context, groupId).catch((error: unknown) => explain(app, error)),
    doneText: () => {
      const done = app.state.server.abilities.deactivatedGroups ? 'Deactivated' : 'Deleted';
      if (reactivateProblem(app.state) !== undefined) return `${done} the group ${name}`;
      return undoOffer(app, {label: `Deactivated the group ${name}`, ...reactivation(app, groupId, name)});
    },
    failureText: `The group ${name} was not deactivated`,
  });
}

export function reactivate(app: App, groupId: number): void {
  const name = groupLabel(app.state, groupId);
  const {undo: send, undoneText, failureText} = reactivation(app, groupId, name);
  requestFromServer(app, {send, doneText: () => undoneText, failureText});
}

function reactivation(app: App, groupId: number, name: string) {
  return {
    undo: () => updateGroup(app.session.context, groupId, {deactivated: false}),
    undoingText: `Reactivating the group ${name}…`,
    undoneText: `Reactivated the group ${name}`,
    failureText: `The group ${name} is still deactivated`,
  };
}

/** Throws an error that names where the group is used, if that is the reason of the refusal. */
function explain({state}: App, error: unknown): never {
  if (!isRefusal(error, 'CANNOT_DEACTIVATE_GROUP_IN_USE')) throw error;
  const uses = (error.body?.objections ?? []).flatMap((objection) => useText(state, objection));
  if (uses.length === 0) throw error;
  throw new Error(`it is used by ${uses.join(', ')}. Remove it there first.`);
}

type Objection = NonNullable<ErrorBody['objections']>[number];

function useText(state: AccountState, {type, supergroup_ids = [], channel_id = 0, group_id = 0}: Objection): string[] {
  switch (type) {
    case 'subgroup':
      return supergroup_ids.map((id) => `the group ${groupLabel(state, id)}`);
    case 'channel':
      return [`permissions of #${channelName(state, channel_id)}`];
    case 'user_group':
      return [`permissions of the group ${groupLabel(state, group_id)}`];
    case 'realm':
      return ['permissions of the organization'];
    default:
      return [];
  }
}
