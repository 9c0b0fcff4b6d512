import {keepIfEqual, mapById, withItems} from '#state/model/immutable-updates.ts';
import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {attachedMessageIds, attachmentCreatedAt, type WireAttachment} from '#wire/objects/personal.ts';
import type {Slice} from './slice.ts';

export type Attachment = CamelKeys<Omit<WireAttachment, 'messages' | 'message_ids'>> & {
  readonly messageIds: readonly number[];
};

export function attachmentFromWire(wire: WireAttachment): Attachment {
  const {message_ids: _ids, messages: _messages, ...rest} = wire;
  return {...camelKeys(rest), createTime: attachmentCreatedAt(wire), messageIds: attachedMessageIds(wire)};
}

/** Fetched on demand and updated by events; before that, it has only what events named. */
export const attachments: Slice<SortedMap<number, Attachment>, 'attachment' | 'attachments_fetched'> = {
  initial: SortedMap.empty(),
  registered: 'initial',
  saved: 'no',
  appliers: {
    attachment: (before, event) =>
      event.op === 'remove'
        ? before.without(event.attachment.id)
        : withItems(before, [attachmentFromWire(event.attachment)]),
    attachments_fetched: (before, event) => keepIfEqual(before, mapById(event.attachments)),
  },
};
