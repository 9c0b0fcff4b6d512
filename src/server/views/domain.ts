import type {DomainRow} from '#server/db/domains.ts';
import type {Domain} from '#wire/objects/domain.ts';

export function domainView(row: DomainRow): Domain {
  return {domain: row.domain, allow_subdomains: row.allow_subdomains === 1};
}
