import {type Infer, int, ints, namedObject, object, s, timestamp} from '#wire/schema.ts';

const fields = {
  type: s.picklist(['', 'stream', 'private']),
  to: ints,
  topic: s.string(),
  content: s.string(),
};

/** A draft as the client sends it. */
export const draftInput = namedObject('DraftData', fields, {
  timestamp: s.nullable(s.number('{at}["int"] is not an integer')),
});
export type DraftInput = Infer<typeof draftInput>;

/** A draft as the server stores it. */
export const draft = object({id: int, ...fields}, {timestamp});
export type WireDraft = Infer<typeof draft>;
