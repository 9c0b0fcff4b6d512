import {sendNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {badRequest} from '#server/http/errors.ts';

/** Sends an administrator the words of the organization that new users would get; returns the message's id. */
export function sendTestWelcome(act: ActionContext, actor: UserRow, text: string): number {
  if (text === '') throw badRequest('Message must not be empty');
  return sendNotice(act, {kind: 'direct', userIds: [actor.id]}, text, {from: 'welcome'});
}
