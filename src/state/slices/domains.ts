import {keepIfEqual} from '#state/model/immutable-updates.ts';
import type {EventOf} from '#wire/events.ts';
import type {Domain} from '#wire/objects/organization.ts';
import {savedList} from './saved-json.ts';
import {fromSnapshot, type Slice} from './slice.ts';

export const domains: Slice<readonly Domain[], 'realm_domains'> = {
  initial: [],
  registered: fromSnapshot(['realm_domains'], ({realm_domains = []}) => realm_domains),
  saved: savedList({domain: 'string'}),
  appliers: {
    realm_domains: (before, event) => keepIfEqual(before, domainsAfter(before, event)),
  },
};

function domainsAfter(before: readonly Domain[], event: EventOf<'realm_domains'>): readonly Domain[] {
  if (event.op === 'remove') return before.filter(({domain}) => domain !== event.domain);
  const changed = event.realm_domain;
  if (before.some(({domain}) => domain === changed.domain)) {
    return before.map((each) => (each.domain === changed.domain ? changed : each));
  }
  return event.op === 'add' ? [...before, changed] : before;
}
