import type {ActionContext} from '#server/context.ts';
import {type OrganizationSettings, organizationSettings} from '#server/organization/organization-settings.ts';

/** Keeps one organization setting. Whoever calls tells the clients. */
export function storeOrganizationSetting<K extends keyof OrganizationSettings>(
  act: ActionContext,
  name: K,
  value: OrganizationSettings[K],
): void {
  act.db.run('INSERT OR REPLACE INTO realm_setting (name, value) VALUES (?, ?)', name, JSON.stringify(value));
  act.world.derivedFacts.invalidate(organizationSettings);
}
