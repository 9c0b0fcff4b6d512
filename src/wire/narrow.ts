import {levels} from './levels.ts';
import {type Infer, int, ints, s, strings} from './schema.ts';

/** Every operator by its present name; `aliases` are the older ones, which mean the same. */
export const operators = {
  channel: {since: levels.channelOperators, aliases: ['stream']},
  channels: {since: levels.channelOperators, aliases: ['streams']},
  topic: {since: 0, aliases: ['subject']},
  dm: {since: levels.dmOperators, aliases: ['pm-with', 'pm_with']},
  'dm-including': {since: levels.dmOperators, aliases: []},
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
} as const satisfies Record<string, {since: number; aliases: readonly string[]}>;
export type Operator = keyof typeof operators;

/** Operands of the operators that have a fixed set, with the level that brought each. */
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

export const operand = s.union([s.string(), int, ints, strings]);
export type Operand = Infer<typeof operand>;

export interface NarrowTerm {
  /** One of `operators` after `normalTerm`; before it, whatever was written. */
  operator: Operator | (string & {});
  operand: Operand;
  negated?: boolean | undefined;
}

export const narrowTerm: s.GenericSchema<unknown, NarrowTerm> = s.looseObject({
  operator: s.string(),
  operand,
  negated: s.optional(s.boolean()),
});

/** The oldest form of a term. */
export const termPair = s.tuple([s.string(), operand]);

export const wireTerm = s.union([narrowTerm, termPair]);
export type WireTerm = Infer<typeof wireTerm>;

export const narrow = s.array(wireTerm);
export type WireNarrow = Infer<typeof narrow>;

const present = new Map<string, Operator>();
for (const name of Object.keys(operators) as Operator[]) {
  present.set(name, name);
  for (const alias of operators[name].aliases) present.set(alias, name);
}

/** The present name of an operator; undefined for one that does not exist. */
export function operatorName(written: string): Operator | undefined {
  return present.get(written);
}

/** Present names, object form. An unknown operator stays as written. */
export function normalizeTerm(written: WireTerm): NarrowTerm {
  const given: NarrowTerm = Array.isArray(written) ? {operator: written[0], operand: written[1]} : written;
  const operator = operatorName(given.operator) ?? given.operator;
  const operand = operator === 'is' && given.operand === 'private' ? 'dm' : given.operand;
  return {operator, operand, ...(given.negated === true && {negated: true})};
}

const olderNames: Partial<Record<Operator, {below: number; name: string}>> = {
  channel: {below: levels.channelOperators, name: 'stream'},
  channels: {below: levels.channelOperators, name: 'streams'},
  dm: {below: levels.dmOperators, name: 'pm-with'},
  'dm-including': {below: levels.dmOperators, name: 'group-pm-with'},
};

/** A present-day term in the words a server of this level knows. */
export function termForLevel(given: NarrowTerm, level: number): NarrowTerm {
  const older = olderNames[operatorName(given.operator) ?? 'search'];
  if (older !== undefined && level < older.below) return {...given, operator: older.name};
  if (given.operator === 'is' && given.operand === 'dm' && level < levels.dmOperators) {
    return {...given, operand: 'private'};
  }
  if (given.operator === 'id' && typeof given.operand === 'number' && level < levels.integerIdOperand) {
    return {...given, operand: String(given.operand)};
  }
  return given;
}

/** The level from which a term can be said at all, in whatever words. */
export function termSince({operator, operand}: NarrowTerm): number {
  const name = operatorName(operator);
  if (name === undefined) return 0;
  const own = name in olderNames ? 0 : operators[name].since;
  const table: Readonly<Record<string, number>> = Object.hasOwn(operands, name)
    ? operands[name as keyof typeof operands]
    : {};
  const isOlderWord = name === 'is' && operand === 'dm';
  // A topic may be called `constructor`.
  const isDated = !isOlderWord && Object.hasOwn(table, String(operand));
  return Math.max(own, isDated ? (table[String(operand)] ?? 0) : 0);
}
