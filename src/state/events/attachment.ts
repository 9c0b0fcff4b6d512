import {withSlices, withValue} from '#state/immutable-updates.ts';
import {attachmentFromWire} from '#state/model/organization.ts';
import type {AccountState} from '#state/state.ts';
import type {AttachmentEvent} from '#wire/events/attachment.ts';

export function applyAttachment(state: AccountState, event: AttachmentEvent): AccountState {
  const {attachments} = state;
  return withSlices(state, {
    attachments:
      event.op === 'remove'
        ? attachments.without(event.attachment.id)
        : withValue(attachments, event.attachment.id, attachmentFromWire(event.attachment)),
  });
}
