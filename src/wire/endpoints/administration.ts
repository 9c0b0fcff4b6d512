import {endpoint, fallback, json, number, optional, since, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {dataExport} from '#wire/objects/web-client-fields.ts';
import {int, nullableInt, object, s, strings} from '#wire/schema.ts';

const icon = object({icon_url: s.string()});

/**
 * What was changed in the organization, the newest first: who (null is the operator of the server), when, which endpoint, the
 * ids in its path and the names of its parameters. Only Parley's server has it.
 */
export const getAdministrationLog = endpoint('administration.list', 'GET /parley/administration_log', {
  params: {before: optional(number)},
  result: object({
    entries: s.array(
      object({
        id: int,
        user_id: nullableInt,
        time: int,
        action: s.string(),
        target: s.record(s.string(), int),
        fields: strings,
      }),
    ),
    found_oldest: s.boolean(),
  }),
});

export const getExports = endpoint('export.list', 'GET /export/realm', {
  result: object({exports: s.array(dataExport)}),
});

export const requestExport = endpoint('export.request', 'POST /export/realm', {
  params: {export_type: since(levels.exportTypes, fallback(text, 'public'))},
  /** Older servers do not say the id. */
  result: object({id: s.optional(int)}),
});

export const deleteExport = endpoint('export.delete', 'DELETE /export/realm/{export_id}');

export const uploadIcon = endpoint('realm.upload-icon', 'POST /realm/icon', {upload: true, result: icon});

export const removeIcon = endpoint('realm.remove-icon', 'DELETE /realm/icon', {result: icon});

export const deactivateRealm = endpoint('realm.deactivate', 'POST /realm/deactivate', {
  params: {deletion_delay_days: since(levels.deletionDelay, optional(json(nullableInt)))},
});
