import type {ActionContext} from '#server/context.ts';
import {type DomainRow, findDomain, listDomains} from '#server/db/domains.ts';
import {badRequest} from '#server/http/errors.ts';
import {organization} from '#server/permissions/has-permission.ts';
import {domainView} from '#server/views/domain.ts';
import {domainProblem} from '#std/domain-name.ts';
import {storeOrganizationSetting} from './update-organization.ts';

export function addDomain(act: ActionContext, input: string, allowSubdomains: boolean): DomainRow {
  const domain = input.trim().toLowerCase();
  const problem = domainProblem(domain);
  if (problem !== undefined) throw badRequest(`Invalid domain: ${problem}`);
  if (findDomain(act.db, domain) !== undefined) {
    throw badRequest(`The domain ${domain} is already a part of your organization.`);
  }
  const allow_subdomains = Number(allowSubdomains);
  const row = {id: act.db.insertRow('realm_domain', {domain, allow_subdomains}), domain, allow_subdomains};
  act.emit({type: 'realm_domains', to: 'everyone', body: {op: 'add', realm_domain: domainView(row)}});
  return row;
}

export function updateDomain(act: ActionContext, input: string, allowSubdomains: boolean): void {
  const row = {...requireDomain(act, input), allow_subdomains: Number(allowSubdomains)};
  act.db.run('UPDATE realm_domain SET allow_subdomains = ? WHERE id = ?', row.allow_subdomains, row.id);
  act.emit({type: 'realm_domains', to: 'everyone', body: {op: 'change', realm_domain: domainView(row)}});
}

/**
 * Removes a domain. With the last one, the restriction of addresses to domains is turned off, as no address could
 * comply.
 */
export function removeDomain(act: ActionContext, input: string): void {
  const {id, domain} = requireDomain(act, input);
  act.db.run('DELETE FROM realm_domain WHERE id = ?', id);
  if (listDomains(act.db).length === 0 && organization(act).emails_restricted_to_domains) {
    storeOrganizationSetting(act, 'emails_restricted_to_domains', false);
    const body = {op: 'update', property: 'emails_restricted_to_domains', value: false};
    act.emit({type: 'realm', to: 'everyone', body});
  }
  act.emit({type: 'realm_domains', to: 'everyone', body: {op: 'remove', domain}});
}

function requireDomain(act: ActionContext, input: string): DomainRow {
  const row = findDomain(act.db, input.trim().toLowerCase());
  if (row === undefined) throw badRequest(`No entry found for domain ${input}.`);
  return row;
}
