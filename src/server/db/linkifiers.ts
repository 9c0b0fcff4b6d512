import type {DerivedFact} from '#server/derived-facts-cache.ts';
import type {Database} from './database.ts';

export interface LinkifierRow {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input: string | null;
  readonly reverse_template: string | null;
  /** A JSON list. */
  readonly alternative_url_templates: string;
}

/** The linkifiers in the order in which they apply. Must be invalidated when linkifiers change. */
export const linkifierRows: DerivedFact<readonly LinkifierRow[]> = {
  name: 'linkifier-rows',
  derive: (db: Database) => db.all<LinkifierRow>('SELECT * FROM linkifier ORDER BY sort_order, id'),
};
