import type {ActionContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';

/** The last second of the year 9999. */
export const maxTimestamp = 253_402_300_799;

export function checkDeliveryTime(act: ActionContext, deliverAt: number): void {
  if (deliverAt <= act.now) throw badRequest('Scheduled delivery time must be in the future.');
  if (deliverAt > maxTimestamp) throw badRequest('Scheduled delivery time is too far in the future.');
}
