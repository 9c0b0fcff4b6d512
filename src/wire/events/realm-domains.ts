import {domain} from '#wire/objects/domain.ts';
import {type Infer, object, s} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const realmDomainsAdd = object({...eventFieldsWithOp('realm_domains', 'add'), realm_domain: domain});
export const realmDomainsChange = object({
  ...eventFieldsWithOp('realm_domains', 'change'),
  realm_domain: domain,
});
export const realmDomainsRemove = object({
  ...eventFieldsWithOp('realm_domains', 'remove'),
  domain: s.string(),
});

export type RealmDomainsEvent =
  | Infer<typeof realmDomainsAdd>
  | Infer<typeof realmDomainsChange>
  | Infer<typeof realmDomainsRemove>;
