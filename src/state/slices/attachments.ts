import {type CamelKeys, camelKeys} from '#std/camel.ts';
import {attachedMessageIds, attachmentCreatedAt, type WireAttachment} from '#wire/objects/personal.ts';

export type Attachment = CamelKeys<Omit<WireAttachment, 'messages' | 'message_ids'>> & {
  readonly messageIds: readonly number[];
};

export function attachmentFromWire(wire: WireAttachment): Attachment {
  const {message_ids: _ids, messages: _messages, ...rest} = wire;
  return {...camelKeys(rest), createTime: attachmentCreatedAt(wire), messageIds: attachedMessageIds(wire)};
}
