import {type Infer, int, ints, object, s, timestamp} from '#wire/schema.ts';

const fields = {
  type: s.picklist(['', 'stream', 'private']),
  to: ints,
  topic: s.string(),
  content: s.string(),
};
const inputNames: ReadonlySet<string> = new Set([...Object.keys(fields), 'timestamp']);

/** A draft as the client sends it. Unlike other objects, it has no other fields. */
export const draftInput = s.pipe(
  s.custom<object>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'Invalid {at}: Input should be a valid dictionary or instance of DraftData',
  ),
  s.rawCheck(({dataset, addIssue}) => {
    const other = dataset.typed ? Object.keys(dataset.value).find((name) => !inputNames.has(name)) : undefined;
    if (other !== undefined) addIssue({message: `Argument "${other}" at {at}["${other}"] is unexpected`});
  }),
  object(
    {...fields, content: s.pipe(s.string(), s.regex(/\S/, '{at} cannot be blank'))},
    {timestamp: s.nullable(s.number('{at}["int"] is not an integer'))},
  ),
);
export type DraftInput = Infer<typeof draftInput>;

/** A draft as the server stores it. */
export const draft = object({id: int, ...fields}, {timestamp});
export type WireDraft = Infer<typeof draft>;
