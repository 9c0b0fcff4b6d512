import type {Operand} from '#wire/narrow.ts';
import {badNarrow} from './errors.ts';

export function isNumericId(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

export function messageIdOperand(operator: string, operand: Operand): number {
  const id = typeof operand === 'string' && isNumericId(operand) ? Number(operand) : operand;
  if (typeof id !== 'number' || id < 0) throw badNarrow(`'${operator}' needs the id of a message`);
  return id;
}

export function textOperand(operator: string, operand: Operand): string {
  if (Array.isArray(operand) || String(operand).trim() === '') throw badNarrow(`'${operator}' needs text`);
  return String(operand);
}

/** Sorted by number, everybody once: the form of `dm.key`. */
export function directConversationKey(userIds: readonly number[]): string {
  return [...new Set(userIds)].sort((a, b) => a - b).join(',');
}
