import {snippet} from '#wire/objects/snippet.ts';
import {type Infer, int, object} from '#wire/schema.ts';
import {opped} from './event-fields.ts';

export const savedSnippetsAdd = object({...opped('saved_snippets', 'add'), saved_snippet: snippet});
export const savedSnippetsUpdate = object({...opped('saved_snippets', 'update'), saved_snippet: snippet});
export const savedSnippetsRemove = object({...opped('saved_snippets', 'remove'), saved_snippet_id: int});

export type SavedSnippetsEvent =
  | Infer<typeof savedSnippetsAdd>
  | Infer<typeof savedSnippetsUpdate>
  | Infer<typeof savedSnippetsRemove>;
