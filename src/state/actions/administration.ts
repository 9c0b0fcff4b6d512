import type {FileSource} from '#api/multipart.ts';
import type {SessionContext} from '#state/session-context.ts';
import type {ResultOf} from '#wire/endpoint.ts';
import type {Endpoints} from '#wire/endpoints.ts';

export async function uploadIcon({api, signal}: SessionContext, file: FileSource): Promise<void> {
  await api.uploadIcon({file}, {signal});
}

export async function removeIcon({api, signal}: SessionContext): Promise<void> {
  await api.removeIcon({}, {signal});
}

export type AdministrationPage = ResultOf<Endpoints['getAdministrationLog']>;
export type AdministrationEntry = AdministrationPage['entries'][number];

/** Returns what was changed in the organization, the newest first; `before` is the id of the oldest entry that is known. */
export async function administrationLog({api, signal}: SessionContext, before?: number): Promise<AdministrationPage> {
  return api.getAdministrationLog(before === undefined ? {} : {before}, {signal});
}

export type DataExport = ResultOf<Endpoints['getExports']>['exports'][number];

/** Returns the data exports that administrators requested, the newest first. */
export async function dataExports({api, signal}: SessionContext): Promise<readonly DataExport[]> {
  const {exports} = await api.getExports({}, {signal});
  return exports.toSorted((a, b) => b.id - a.id);
}

/** Has the server write an export, which takes a while. */
export async function requestExport({api, signal}: SessionContext, type: string | undefined): Promise<void> {
  await api.requestExport(type === undefined ? {} : {export_type: type}, {signal});
}

export async function deleteExport({api, signal}: SessionContext, id: number): Promise<void> {
  await api.deleteExport({export_id: id}, {signal});
}

/** Logs everybody out. Only the people who run the server make the organization usable again. */
export async function deactivateOrganization({api, signal}: SessionContext): Promise<void> {
  await api.deactivateRealm({}, {signal});
}
