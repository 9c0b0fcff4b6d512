import {type Infer, int, ints, object, s} from '#wire/schema.ts';

export const attachment = object(
  {id: int, name: s.string(), path_id: s.string(), size: int, create_time: s.number()},
  {message_ids: ints, messages: s.array(object({id: int}, {date_sent: s.number()}))},
);
export type WireAttachment = Infer<typeof attachment>;

/** Returns the ids of the messages with the attachment; servers below level 472 send messages instead of ids. */
export function attachedMessageIds(file: WireAttachment): number[] {
  return file.message_ids ?? file.messages?.map((message) => message.id) ?? [];
}

// A UNIX time in seconds above this would be in the year 5138.
const latestSeconds = 1e11;

/** Returns the creation time in UNIX seconds; servers below level 443 send milliseconds. */
export function attachmentCreatedAt(file: WireAttachment): number {
  return file.create_time > latestSeconds ? Math.floor(file.create_time / 1000) : file.create_time;
}

export const uploaded = object({}, {url: s.string(), uri: s.string(), filename: s.string()});

/** Returns the URL of an uploaded file; the field is `uri` on servers below level 272. */
export function uploadedUrl(response: Infer<typeof uploaded>): string | undefined {
  return response.url ?? response.uri;
}

/** Returns an attachment in the current format. Below level 443 times are in milliseconds, below 472 messages are objects. */
export function modernAttachment({messages: _older, ...file}: WireAttachment): WireAttachment {
  const older = {...file, messages: _older};
  return {...file, create_time: attachmentCreatedAt(older), message_ids: attachedMessageIds(older)};
}
