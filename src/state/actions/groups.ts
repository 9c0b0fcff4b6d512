import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export interface NewGroup {
  readonly name: string;
  readonly description?: string;
  readonly memberIds: readonly number[];
}

export async function createGroup({api, signal}: SessionContext, group: NewGroup): Promise<void> {
  const {name, description = '', memberIds} = group;
  await api.createGroup({name, description, members: [...memberIds]}, {signal});
}

export type GroupChange = Omit<ArgsOf<Endpoints['updateGroup']>, 'user_group_id'>;

export async function updateGroup({api, signal}: SessionContext, id: number, change: GroupChange): Promise<void> {
  await api.updateGroup({user_group_id: id, ...change}, {signal});
}

/** Adds and removes members; the user joins and leaves the same way. */
export async function changeGroupMembers(
  {api, signal}: SessionContext,
  id: number,
  {add = [], remove = []}: {readonly add?: readonly number[]; readonly remove?: readonly number[]},
): Promise<void> {
  await api.updateGroupMembers({user_group_id: id, add: [...add], delete: [...remove]}, {signal});
}

export async function deactivateGroup({api, signal}: SessionContext, id: number): Promise<void> {
  await api.deactivateGroup({user_group_id: id}, {signal});
}
