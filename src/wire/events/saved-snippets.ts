import {snippet} from '#wire/objects/snippet.ts';
import {type Infer, int, object} from '#wire/schema.ts';
import {eventFieldsWithOp} from './event-fields.ts';

export const savedSnippetsAdd = object({
  ...eventFieldsWithOp('saved_snippets', 'add'),
  saved_snippet: snippet,
});
export const savedSnippetsUpdate = object({
  ...eventFieldsWithOp('saved_snippets', 'update'),
  saved_snippet: snippet,
});
export const savedSnippetsRemove = object({
  ...eventFieldsWithOp('saved_snippets', 'remove'),
  saved_snippet_id: int,
});

export type SavedSnippetsEvent =
  | Infer<typeof savedSnippetsAdd>
  | Infer<typeof savedSnippetsUpdate>
  | Infer<typeof savedSnippetsRemove>;
