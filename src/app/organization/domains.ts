import {RecordKind} from '#app/forms/record-kind.ts';
import type {RecordRow} from '#app/forms/record-list.ts';
import {sortedByName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {domainProblem} from '#std/domain-name.ts';
import {formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import {organizationList} from './organization-list.ts';
import {administratorReason, ownerReason} from './organization-rights.ts';

type Domain = AccountState['domains'][number];

/** Returns the domains, under a title that says whether they restrict who can join: a switch decides that. */
function domainRows({account: {domains, realm}}: Frame): readonly RecordRow[] {
  if (domains.length === 0) return [];
  const label = realm.emailsRestrictedToDomains === true ? 'Only these can join' : 'Not enforced: all domains can join';
  const detail = realm.emailsRestrictedToDomains === true ? undefined : '“Only allowed domains” is off';
  return [
    {key: 'state', label, detail, isTitle: true},
    ...sortedByName(domains, ({domain}) => domain).map(
      ({domain, allow_subdomains: hasSubdomains}): RecordRow => ({
        key: domain,
        label: domain,
        detail: hasSubdomains ? 'and its subdomains' : undefined,
      }),
    ),
  ];
}

function changeReason(frame: Frame): string | undefined {
  return frame.account.server.abilities.domainsByOwners ? ownerReason(frame) : administratorReason(frame);
}

/** Whether the server turns the restriction off with the removal of a domain. */
function isLastOfRestriction({domains, realm}: AccountState): boolean {
  return domains.length === 1 && realm.emailsRestrictedToDomains === true;
}

function subdomainsText(isAllowed: boolean, domain: string): string {
  return `${isAllowed ? 'Allowed' : 'Excluded'} subdomains of ${domain}`;
}

/** The domains of the email addresses that may join. */
const domains = new RecordKind<Domain, {domain: string; hasSubdomains: boolean}, string>({
  noun: 'domain',
  list: {
    id: 'domains',
    title: 'Allowed email domains',
    empty: 'No domains: addresses of all domains can join',
    columns: 76,
    addLabel: 'New domain…',
    rows: domainRows,
  },
  keyOf: String,
  find: ({account}, domain) => account.domains.find((one) => one.domain === domain),
  changeReason,
  form: {
    title: 'Allowed email domain',
    newTitle: 'New domain',
    createLabel: 'Add the domain',
    values: (record) => ({domain: record?.domain ?? '', hasSubdomains: record?.allow_subdomains ?? false}),
    fields: ({account}, _values, record) => [
      formField('text', 'domain', 'Domain', {
        placeholder: 'example.com',
        isRequired: true,
        disabled: record && 'A domain has its name for ever: add another one',
        validate: (typed) => {
          const name = typed.toLowerCase();
          const isTaken = account.domains.some((one) => one.domain === name);
          return isTaken ? `${name} is already allowed` : domainProblem(name);
        },
      }),
      formField('switch', 'hasSubdomains', 'Subdomains', {
        help: 'Addresses of subdomains such as mail.example.com can join too.',
      }),
    ],
    errorField: (_error, record) => (record === undefined ? 'domain' : 'hasSubdomains'),
  },
  create: async ({api}, {domain, hasSubdomains}) => {
    await api.addDomain({domain, allow_subdomains: hasSubdomains});
    return domain;
  },
  created: ({domain}) => ({
    done: `Allowed ${domain}`,
    undone: `Removed the domain ${domain}`,
    notUndone: `${domain} was not removed`,
  }),
  change: {
    update: ({api}, domain, {values}) => api.updateDomain({domain, allow_subdomains: values.hasSubdomains}),
    texts: ({values: {domain, hasSubdomains}}) => ({
      done: subdomainsText(hasSubdomains, domain),
      undone: subdomainsText(!hasSubdomains, domain),
      notUndone: `${domain} was not changed`,
    }),
  },
  removal: {
    remove: ({api}, domain) => api.removeDomain({domain}),
    confirm: ({domain}, {account}) => ({
      title: `Remove the domain ${domain}?`,
      yes: 'Remove',
      ...(isLastOfRestriction(account) && {detail: 'the last one: addresses of all domains can join'}),
    }),
    texts: ({domain}) => ({
      done: `Removed the domain ${domain}`,
      failed: `${domain} was not removed`,
      undone: `Allowed ${domain} again`,
      notUndone: `${domain} was not added again`,
    }),
    restore: async ({api}, removed, before) => {
      await api.addDomain(removed);
      if (isLastOfRestriction(before)) await api.updateRealm({emails_restricted_to_domains: true});
      return removed.domain;
    },
  },
});

export const domainList = organizationList(domains, {
  detail: 'whose addresses can join',
  aliases: ['domains', 'add domain', 'restrict domains', 'who can join'],
});
