import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ArgsOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export type LinkifierFields = ArgsOf<Endpoints['addLinkifier']>;

/** Returns the id of the new linkifier. */
export async function addLinkifier({api, signal}: SessionContext, fields: LinkifierFields): Promise<number> {
  return (await api.addLinkifier(fields, {signal})).id;
}

export async function updateLinkifier(
  {api, signal}: SessionContext,
  id: number,
  fields: LinkifierFields,
): Promise<void> {
  await api.updateLinkifier({filter_id: id, ...fields}, {signal});
}

export async function removeLinkifier({api, signal}: SessionContext, id: number): Promise<void> {
  await api.removeLinkifier({filter_id: id}, {signal});
}

/** Sets the order in which linkifiers apply. */
export async function reorderLinkifiers({api, signal}: SessionContext, ids: readonly number[]): Promise<void> {
  await api.reorderLinkifiers({ordered_linkifier_ids: [...ids]}, {signal});
}

export async function allowDomain(
  {api, signal}: SessionContext,
  domain: string,
  allowSubdomains: boolean,
): Promise<void> {
  await api.addDomain({domain, allow_subdomains: allowSubdomains}, {signal});
}

export async function updateDomain(
  {api, signal}: SessionContext,
  domain: string,
  allowSubdomains: boolean,
): Promise<void> {
  await api.updateDomain({domain, allow_subdomains: allowSubdomains}, {signal});
}

export async function removeDomain({api, signal}: SessionContext, domain: string): Promise<void> {
  await api.removeDomain({domain}, {signal});
}

export type ProfileFieldChange = Omit<ArgsOf<Endpoints['updateProfileField']>, 'field_id'>;

/** Returns the id of the new field. */
export async function createProfileField(
  {api, signal}: SessionContext,
  type: number,
  fields: ProfileFieldChange,
): Promise<number> {
  return (await api.createProfileField({field_type: type, ...fields}, {signal})).id;
}

export async function updateProfileField(
  {api, signal}: SessionContext,
  id: number,
  change: ProfileFieldChange,
): Promise<void> {
  await api.updateProfileField({field_id: id, ...change}, {signal});
}

/** Removes a field with the values of all users. */
export async function removeProfileField({api, signal}: SessionContext, id: number): Promise<void> {
  await api.removeProfileField({field_id: id}, {signal});
}

/** Sets the order of all fields. */
export async function reorderProfileFields({api, signal}: SessionContext, ids: readonly number[]): Promise<void> {
  await api.reorderProfileFields({order: [...ids]}, {signal});
}

export type RealmChange = ArgsOf<Endpoints['updateRealm']>;

export async function updateRealm({api, signal}: SessionContext, change: RealmChange): Promise<void> {
  await api.updateRealm(change, {signal});
}

/** Uploads an emoji; names consist of lowercase letters, digits, `-` and `_`. */
export async function addEmoji({api, signal}: SessionContext, name: string, file: FileSource): Promise<void> {
  await api.addEmoji({emoji_name: name, file}, {signal});
}

export async function removeEmoji({api, signal}: SessionContext, name: string): Promise<void> {
  await api.removeEmoji({emoji_name: name}, {signal});
}
