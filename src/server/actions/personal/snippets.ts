import {maxContentLength} from '#server/actions/inputs/message-text.ts';
import type {ActionContext} from '#server/context.ts';
import type {UserRow} from '#server/db/rows.ts';
import {findSnippet, type SnippetRow} from '#server/db/snippets.ts';
import {badRequest, notFoundError} from '#server/http/errors.ts';
import {snippetView} from '#server/views/snippet.ts';

const maxTitleLength = 60;

export function createSnippet(act: ActionContext, actor: UserRow, input: {title: string; content: string}): number {
  const title = cleanText('title', input.title, maxTitleLength);
  const content = cleanText('content', input.content, maxContentLength);
  const id = act.db.insertRow('saved_snippet', {user_id: actor.id, title, content, created_at: act.now});
  const snippet = snippetView({id, user_id: actor.id, title, content, created_at: act.now});
  act.emit({type: 'saved_snippets', to: [actor.id], body: {op: 'add', saved_snippet: snippet}});
  return id;
}

export function editSnippet(
  act: ActionContext,
  actor: UserRow,
  id: number,
  changes: {title: string | undefined; content: string | undefined},
): void {
  if (changes.title === undefined && changes.content === undefined) return;
  const title = changes.title === undefined ? undefined : cleanText('title', changes.title, maxTitleLength);
  const content = changes.content === undefined ? undefined : cleanText('content', changes.content, maxContentLength);
  const before = ownSnippet(act, actor, id);
  const after = {...before, title: title ?? before.title, content: content ?? before.content};
  act.db.run('UPDATE saved_snippet SET title = ?, content = ? WHERE id = ?', after.title, after.content, id);
  act.emit({type: 'saved_snippets', to: [actor.id], body: {op: 'update', saved_snippet: snippetView(after)}});
}

export function deleteSnippet(act: ActionContext, actor: UserRow, id: number): void {
  ownSnippet(act, actor, id);
  act.db.run('DELETE FROM saved_snippet WHERE id = ?', id);
  act.emit({type: 'saved_snippets', to: [actor.id], body: {op: 'remove', saved_snippet_id: id}});
}

function ownSnippet(act: ActionContext, actor: UserRow, id: number): SnippetRow {
  const snippet = findSnippet(act.db, actor.id, id);
  if (snippet === undefined) throw notFoundError('Saved snippet does not exist.');
  return snippet;
}

function cleanText(what: string, input: string, maxLength: number): string {
  const text = input.trim();
  if (text === '') throw badRequest(`${what} cannot be blank`);
  if (text.includes('\0')) throw badRequest(`${what} must not contain null bytes.`);
  if (Array.from(text).length > maxLength) throw badRequest(`${what} is too long (limit: ${maxLength} characters)`);
  return text;
}
