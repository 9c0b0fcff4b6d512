import type {ActionContext} from '#server/context.ts';
import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';

/** Stores one organization setting. The caller emits the event. */
export function storeOrganizationSetting<K extends keyof OrganizationSettings>(
  act: ActionContext,
  name: K,
  value: OrganizationSettings[K],
): void {
  act.db.run('INSERT OR REPLACE INTO realm_setting (name, value) VALUES (?, ?)', name, JSON.stringify(value));
  act.server.derivedFacts.invalidate(organizationSettings);
}
