/** Narrows: the search terms of Zulip's API, with their older names. */

import {memoByObject} from '#std/memo.ts';
import {levels} from './levels.ts';
import {type Infer, int, ints, s, strings} from './schema.ts';

interface OperatorFacts {
  readonly since: number;
  readonly aliases: readonly string[];
  readonly olderName?: string;
}

/** Every operator by its current name; `aliases` are its older names. Servers before `since` know `olderName` instead. */
export const operators = {
  channel: {since: levels.channelOperators, aliases: ['stream'], olderName: 'stream'},
  channels: {since: levels.channelOperators, aliases: ['streams'], olderName: 'streams'},
  topic: {since: 0, aliases: ['subject']},
  dm: {since: levels.dmOperators, aliases: ['pm-with', 'pm_with'], olderName: 'pm-with'},
  'dm-including': {since: levels.dmOperators, aliases: [], olderName: 'group-pm-with'},
  'group-pm-with': {since: 0, aliases: ['group_pm_with']},
  sender: {since: 0, aliases: ['from']},
  id: {since: 0, aliases: []},
  with: {since: levels.withOperator, aliases: []},
  near: {since: 0, aliases: []},
  search: {since: 0, aliases: []},
  is: {since: 0, aliases: []},
  has: {since: 0, aliases: []},
  in: {since: 0, aliases: []},
  mentions: {since: levels.mentionsOperator, aliases: []},
} as const satisfies Record<string, OperatorFacts>;
export type Operator = keyof typeof operators;

/** Operators of the client's searches that no server knows: see `splitDateTerms`. Their operands are UNIX seconds. */
const dateOperators = ['after', 'before'] as const;
export type DateOperator = (typeof dateOperators)[number];

/** Returns the date operator of this name. */
export function dateOperator(typed: string): DateOperator | undefined {
  return dateOperators.find((name) => name === typed);
}

/** From `after` on and before `before`, in UNIX seconds. */
export type DateBounds = Readonly<Partial<Record<DateOperator, number>>>;

/** Returns the terms that servers know, and the dates of the others; undefined when there are none. */
export function splitDateTerms<T extends WireTerm>(narrow: readonly T[]): {terms: T[]; bounds: DateBounds | undefined} {
  const terms: T[] = [];
  let bounds: {after?: number; before?: number} | undefined;
  for (const written of narrow) {
    const {operator, operand, negated} = normalizeTerm(written);
    const name = dateOperator(operator);
    if (name === undefined) terms.push(written);
    else {
      bounds ??= {};
      // What is not after a date is before it.
      if ((name === 'after') !== (negated === true)) bounds.after = Math.max(bounds.after ?? 0, Number(operand));
      else bounds.before = Math.min(bounds.before ?? Number.POSITIVE_INFINITY, Number(operand));
    }
  }
  return {terms, bounds};
}

export function isWithinDates({after, before}: DateBounds, timestamp: number): boolean {
  return timestamp >= (after ?? 0) && timestamp < (before ?? Number.POSITIVE_INFINITY);
}

/**
 * The operator of the client's searches that joins narrows; no server knows it. Each term is one part: a message must match
 * all other terms and at least one part.
 */
export const orOperator = 'or';

export function orTerm(part: readonly WireTerm[]): NarrowTerm {
  return {operator: orOperator, operand: JSON.stringify(part.map(normalizeTerm))};
}

/** Returns the narrows that a narrow joins, each with the terms outside the parts; undefined when it joins none. */
export const orParts = memoByObject((narrow: readonly WireTerm[]): readonly (readonly NarrowTerm[])[] | undefined => {
  const terms = narrow.map(normalizeTerm);
  const isPart = ({operator}: NarrowTerm) => operator === orOperator;
  const parts = terms.filter(isPart);
  if (parts.length === 0) return undefined;
  const shared = terms.filter((term) => !isPart(term));
  return parts.map(({operand}) => [...(JSON.parse(String(operand)) as NarrowTerm[]), ...shared]);
});

/** Returns the narrow with each narrow that it joins changed, or else the narrow itself changed. */
export function mapParts<T extends readonly WireTerm[]>(narrow: T, change: (terms: T) => T): T {
  const parts = orParts(narrow);
  return parts === undefined
    ? change(narrow)
    : (parts.map((part) => orTerm(change(part as T))) as readonly WireTerm[] as T);
}

/** The operands of operators with a fixed set, with the level that introduced each. */
export const operands = {
  is: {
    dm: levels.dmOperators,
    starred: 0,
    unread: 0,
    mentioned: 0,
    alerted: 0,
    resolved: 0,
    followed: levels.isFollowed,
    muted: levels.isMuted,
  },
  has: {attachment: 0, image: 0, link: 0, reaction: levels.hasReaction},
  in: {home: 0, all: 0},
  channels: {public: 0, 'web-public': 0, archived: levels.channelsArchived},
} as const;

const operand = s.union([s.string(), int, ints, strings]);
export type Operand = Infer<typeof operand>;

export interface NarrowTerm {
  /** One of `operators` after `normalizeTerm`; as typed before. */
  operator: Operator | (string & {});
  operand: Operand;
  negated?: boolean | undefined;
}

const narrowTerm: s.GenericSchema<unknown, NarrowTerm> = s.looseObject({
  operator: s.string(),
  // Any value is accepted, because the error for a wrong one depends on the operator.
  operand: s.custom<Operand>(() => true),
  negated: s.optional(s.boolean()),
});

/** The oldest form of a term: operator and operand. */
export const termPair = s.tuple([s.string(), operand]);

/** Names what is wrong with a term, in the words of Zulip's servers. */
const termShape = s.rawCheck<unknown>(({dataset: {value}, addIssue}) => {
  const problem = termProblem(value);
  if (problem !== undefined) addIssue({message: problem});
});

function termProblem(term: unknown): string | undefined {
  const invalid = 'Invalid {at}: Value error,';
  if (Array.isArray(term)) return term.length === 2 ? undefined : `${invalid} element is not a string pair`;
  if (typeof term !== 'object' || term === null) return `${invalid} dict or list required`;
  if (!('operand' in term) || term.operand === null) return `${invalid} operand is missing`;
  if (!('operator' in term) || term.operator === null) return `${invalid} operator is missing`;
  if (typeof term.operator !== 'string') return '{at}["operator"] is not a string';
  const hasFlag = !('negated' in term) || typeof term.negated === 'boolean';
  return hasFlag ? undefined : '{at}["negated"] is not a boolean';
}

const wireTerm = s.pipe(s.unknown(), termShape, s.union([narrowTerm, termPair]));
export type WireTerm = Infer<typeof wireTerm>;

export const narrow = s.pipe(
  s.nullable(s.array(wireTerm)),
  s.transform((terms) => terms ?? []),
);
export type WireNarrow = Infer<typeof narrow>;

const currentNames = new Map<string, Operator>();
for (const name of Object.keys(operators) as Operator[]) {
  currentNames.set(name, name);
  for (const alias of operators[name].aliases) currentNames.set(alias, name);
}

/** Returns the current name of an operator; undefined for an unknown one. */
export function operatorName(typed: string): Operator | undefined {
  return currentNames.get(typed);
}

/** Returns a term as an object with current names. An unknown operator stays as it is. */
export function normalizeTerm(typed: WireTerm): NarrowTerm {
  const term: NarrowTerm = Array.isArray(typed) ? {operator: typed[0], operand: typed[1]} : typed;
  const operator = operatorName(term.operator) ?? term.operator;
  const operand = operator === 'is' && term.operand === 'private' ? 'dm' : term.operand;
  return {operator, operand, ...(term.negated === true && {negated: true})};
}

/** Returns a current term with the names of a server of this level. */
export function termForLevel(term: NarrowTerm, level: number): NarrowTerm {
  const {since, olderName}: OperatorFacts = operators[operatorName(term.operator) ?? 'search'];
  if (olderName !== undefined && level < since) return {...term, operator: olderName};
  if (term.operator === 'is' && term.operand === 'dm' && level < levels.dmOperators) {
    return {...term, operand: 'private'};
  }
  // Servers of every level accept the id of a message as text; `near` as a number is refused by all.
  if (isMessageTerm(term) && typeof term.operand === 'number') return {...term, operand: String(term.operand)};
  return term;
}

function isMessageTerm({operator}: NarrowTerm): boolean {
  return operator === 'id' || operator === 'near';
}

/** Returns the level from which a term is supported, under any name. */
export function termSince({operator, operand}: NarrowTerm): number {
  const name = operatorName(operator);
  if (name === undefined) return 0;
  const operatorSince = 'olderName' in operators[name] ? 0 : operators[name].since;
  const table: Readonly<Record<string, number>> = Object.hasOwn(operands, name)
    ? operands[name as keyof typeof operands]
    : {};
  const hasOlderName = name === 'is' && operand === 'dm';
  // `hasOwn`, because a topic may be named `constructor`.
  const hasLevel = !hasOlderName && Object.hasOwn(table, String(operand));
  return Math.max(operatorSince, hasLevel ? (table[String(operand)] ?? 0) : 0);
}
