import type {Symbols} from './symbols.ts';

/** One point in which a response or an event is not as recorded. */
export interface Difference {
  /** `status`, `code`, `msg`, `value`, `type`, `key_missing`, `event_extra` … */
  readonly class: string;
  /** Where in the response, or in the events of which queue. */
  readonly at: string;
  readonly real: string;
  readonly here: string;
}

/** What a comparison needs: it binds new symbols and reports differences. */
export interface ComparisonContext {
  readonly symbols: Symbols;
  report(difference: Difference): void;
}

export const absent = '(absent)';
