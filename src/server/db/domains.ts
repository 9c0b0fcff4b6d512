import type {Database} from './database.ts';

export interface DomainRow {
  readonly id: number;
  readonly domain: string;
  readonly allow_subdomains: number;
}

export function listDomains(db: Database): DomainRow[] {
  return db.all<DomainRow>('SELECT * FROM realm_domain ORDER BY id');
}

export function findDomain(db: Database, domain: string): DomainRow | undefined {
  return db.get<DomainRow>('SELECT * FROM realm_domain WHERE domain = ?', domain);
}
