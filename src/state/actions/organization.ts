import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type LinkifierFields = ArgsOf<Endpoints['addLinkifier']>;

/** Returns the id of the new linkifier. */
export async function addLinkifier({api}: SessionContext, fields: LinkifierFields): Promise<number> {
  return (await api.addLinkifier(fields)).id;
}

export type ProfileFieldChange = Omit<ArgsOf<Endpoints['updateProfileField']>, 'field_id'>;

/** Returns the id of the new field. */
export async function createProfileField(
  {api}: SessionContext,
  type: number,
  fields: ProfileFieldChange,
): Promise<number> {
  return (await api.createProfileField({field_type: type, ...fields})).id;
}

export type RealmChange = ArgsOf<Endpoints['updateRealm']>;
