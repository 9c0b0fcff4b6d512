import type {SnippetRow} from '#server/db/snippets.ts';
import type {WireSnippet} from '#wire/objects/snippet.ts';

export function snippetView({id, title, content, created_at}: SnippetRow): WireSnippet {
  return {id, title, content, date_created: created_at};
}
