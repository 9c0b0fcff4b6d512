import {int, s} from '#wire/schema.ts';

/** The events of a poll as unknown values. They are decoded one by one, so a malformed one does not affect the others. */
export const rawEvents = s.array(s.unknown());

/** Returns the fields of every event of this type. */
export function eventFields<const T extends string>(type: T) {
  return {id: int, type: s.literal(type)};
}

/** Returns the fields of every event of this type and op. */
export function eventFieldsWithOp<const T extends string, const O extends string>(type: T, op: O) {
  return {id: int, type: s.literal(type), op: s.literal(op)};
}
