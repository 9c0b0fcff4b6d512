import {nameFor} from '#server/actions/inputs.ts';
import {sendPersonalNotice} from '#server/actions/messages/send-message.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';

/** A changed part of an account; the values are Markdown, empty for none. */
export interface AccountChange {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Tells a person what somebody else changed in their account. */
export function sendAccountNotice(
  act: ActionContext,
  actor: UserRow,
  person: UserRow,
  changes: readonly AccountChange[],
): void {
  if (actor.id === person.id || person.is_bot === 1 || person.is_active === 0 || changes.length === 0) return;
  const parts = changes.map(
    ({name, before, after}) => `- **Old ${name}:** ${before || '*None*'}\n- **New ${name}:** ${after || '*None*'}`,
  );
  const opening = `${nameFor(act, person, actor)} has made the following changes to your account.`;
  sendPersonalNotice(act, person.id, `${opening}\n${parts.join('\n\n---\n\n')}`);
}
