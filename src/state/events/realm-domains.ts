import {keepIfEqual, withSlices} from '#state/immutable-updates.ts';
import type {AccountState} from '#state/state.ts';
import type {RealmDomainsEvent} from '#wire/events/realm-domains.ts';

export function applyRealmDomains(state: AccountState, event: RealmDomainsEvent): AccountState {
  return withSlices(state, {domains: keepIfEqual(state.domains, domainsAfter(state.domains, event))});
}

function domainsAfter(domains: AccountState['domains'], event: RealmDomainsEvent): AccountState['domains'] {
  if (event.op === 'remove') return domains.filter(({domain}) => domain !== event.domain);
  const told = event.realm_domain;
  if (domains.some(({domain}) => domain === told.domain)) {
    return domains.map((one) => (one.domain === told.domain ? told : one));
  }
  return event.op === 'add' ? [...domains, told] : domains;
}
