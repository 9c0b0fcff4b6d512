import {int, s} from '#wire/schema.ts';

/** Events of a poll before they are decoded one by one: one that is malformed must not lose the others. */
export const rawEvents = s.array(s.unknown());

/** The fields every event of this type has. */
export function eventFields<const T extends string>(type: T) {
  return {id: int, type: s.literal(type)};
}

/** The same, for one op of a type. */
export function eventFieldsWithOp<const T extends string, const O extends string>(type: T, op: O) {
  return {id: int, type: s.literal(type), op: s.literal(op)};
}
