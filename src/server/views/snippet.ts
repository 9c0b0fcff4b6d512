import type {SnippetRow} from '#server/db/snippets.ts';
import type {Snippet} from '#wire/objects/snippet.ts';

export function snippetView({id, title, content, created_at}: SnippetRow): Snippet {
  return {id, title, content, date_created: created_at};
}
