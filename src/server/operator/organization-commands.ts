import {updateOrganization} from '#server/actions/organization/update-organization.ts';
import {defaultQuotaMib, guestQuotaMib} from '#server/actions/uploads/attachments.ts';
import type {ServerContext} from '#server/context.ts';
import {uploadSpaceUsed} from '#server/db/attachments.ts';
import {findGroupByName} from '#server/db/groups.ts';
import {badRequest} from '#server/http/errors.ts';
import {paramDecoder} from '#server/http/param-decoder.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {realmPermissionRules} from '#server/permissions/permission-rules.ts';
import {updateRealm} from '#wire/endpoints/realm.ts';
import {currentLevel} from '#wire/levels.ts';
import {object, s} from '#wire/schema.ts';
import {command, operatorUser} from './operator-command.ts';

export const organizationCommands = {
  /** The settings that `setSetting` can change. */
  settings: command(object({}), ({server}) => {
    const all = Object.entries(organization({server}));
    return Object.fromEntries(
      all.filter(([name]) => isSetting(name)).map(([name, value]) => [name, groupName(server, name, value)]),
    );
  }),
  setSetting: command(object({name: s.string(), value: s.string()}), ({server}, {name, value}) => {
    if (!isSetting(name)) throw badRequest(`There is no setting “${name}”. “parley serve org show” lists them.`);
    const values = name === quotaSetting ? {[name]: quotaOf(value)} : decoded(name, groupChange(server, name, value));
    const changed = server.runAction((act) => updateOrganization(act, operatorUser(server), values));
    return {changed: Object.keys(changed).length > 0};
  }),
  limits: command(object({}), ({server}) => ({
    uploadQuotaMib: organization({server}).upload_quota_mib ?? defaultQuotaMib,
    uploadedBytes: uploadSpaceUsed(server.db),
    guestQuotaMib,
    ...server.limits,
  })),
};

/** The only setting that no client can change: the operator knows how large the disk is. */
const quotaSetting = 'upload_quota_mib';

function isSetting(name: string): boolean {
  const param = Object.hasOwn(updateRealm.params, name) ? Reflect.get(updateRealm.params, name) : undefined;
  return name === quotaSetting || (param !== undefined && param.until === undefined);
}

function quotaOf(value: string): number | null {
  if (value === 'default') return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw badRequest(`${quotaSetting} must be a whole number, or “default”.`);
}

/** Decodes the value as the endpoint does. A text without quotes is a text. */
function decoded(name: string, value: string): Readonly<Record<string, unknown>> {
  const {params} = paramDecoder(updateRealm, currentLevel)({}, new URLSearchParams([[name, value]]), noParams());
  return params;
}

const noParams = () => new URLSearchParams();

/** Returns the change of a permission for the name of a group such as `role:members`; other values as they are. */
function groupChange({db}: ServerContext, name: string, value: string): string {
  if (!Object.hasOwn(realmPermissionRules, name) || value.startsWith('{')) return value;
  const group = findGroupByName(db, value);
  if (group === undefined || group.deactivated === 1) throw badRequest(`There is no group “${value}”.`);
  return JSON.stringify({new: group.id});
}

/** Returns the name of the group that has a permission; other values, and sets of several groups, as they are. */
function groupName({db}: ServerContext, name: string, value: unknown): unknown {
  if (!Object.hasOwn(realmPermissionRules, name) || typeof value !== 'number') return value;
  return db.value<string>('SELECT name FROM user_group WHERE id = ?', value) ?? value;
}
