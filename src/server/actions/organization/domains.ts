import type {ActionContext} from '#server/context.ts';
import {type DomainRow, findDomain, listDomains} from '#server/db/organization-items.ts';
import {badRequest, check, required} from '#server/errors.ts';
import {organization, storeOrganizationSetting} from '#server/permissions/has-permission.ts';
import {type Route, route} from '#server/route.ts';
import {domainView} from '#server/views/organization-items.ts';
import {domainProblem} from '#std/domain-name.ts';
import {endpoints} from '#wire/endpoints.ts';

export const domainRoutes: readonly Route[] = [
  route(endpoints.getDomains, 'account', ({db}) => ({domains: listDomains(db).map(domainView)})),
  route(endpoints.addDomain, 'owner', (call, params) => {
    const domain = params.domain.trim().toLowerCase();
    const problem = domainProblem(domain);
    if (problem !== undefined) throw badRequest(`Invalid domain: ${problem}`);
    check(findDomain(call.db, domain) === undefined, `The domain ${domain} is already a part of your organization.`);
    const row = {domain, allow_subdomains: Number(params.allow_subdomains)};
    const id = call.db.insertRow('realm_domain', row);
    call.emit('realm_domains', 'everyone', {op: 'add', realm_domain: domainView({id, ...row})});
    return {new_domain: [id, domain] satisfies [number, string]};
  }),
  route(endpoints.updateDomain, 'owner', (call, params) => {
    const row = {...requireDomain(call, params.domain), allow_subdomains: Number(params.allow_subdomains)};
    call.db.updateRow('realm_domain', row.id, {allow_subdomains: row.allow_subdomains});
    call.emit('realm_domains', 'everyone', {op: 'change', realm_domain: domainView(row)});
  }),
  // With the last domain, the restriction of addresses to domains is turned off, as no address could comply.
  route(endpoints.removeDomain, 'owner', (call, params) => {
    const {id, domain} = requireDomain(call, params.domain);
    call.db.deleteRows('realm_domain', {id});
    if (listDomains(call.db).length === 0 && organization(call).emails_restricted_to_domains) {
      storeOrganizationSetting(call, 'emails_restricted_to_domains', false);
      call.emit('realm', 'everyone', {op: 'update', property: 'emails_restricted_to_domains', value: false});
    }
    call.emit('realm_domains', 'everyone', {op: 'remove', domain});
  }),
];

function requireDomain(act: ActionContext, input: string): DomainRow {
  return required(findDomain(act.db, input.trim().toLowerCase()), `No entry found for domain ${input}.`);
}
