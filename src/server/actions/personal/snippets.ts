import {maxContentLength} from '#server/actions/inputs.ts';
import type {RequestContext} from '#server/context.ts';
import type {Database} from '#server/db/database.ts';
import {badRequest, check, notFoundError, required} from '#server/errors.ts';
import {type Route, route} from '#server/route.ts';
import {endpoints} from '#wire/endpoints.ts';
import type {OutgoingBody} from '#wire/events.ts';
import type {WireSnippet} from '#wire/objects/personal.ts';

export const snippetRoutes: readonly Route[] = [
  route(endpoints.getSnippets, 'account', ({db, actor}) => ({saved_snippets: snippetViews(db, actor.id)})),
  route(endpoints.createSnippet, 'account', (call, params) => ({saved_snippet_id: createSnippet(call, params)})),
  route(endpoints.editSnippet, 'account', (call, {saved_snippet_id: id, ...changes}) => {
    if (changes.title === undefined && changes.content === undefined) return;
    const texts = checkedSnippet(changes);
    const snippet = {...ownSnippet(call, id), ...texts};
    call.db.updateRow('saved_snippet', id, texts);
    emitSnippets(call, {op: 'update', saved_snippet: snippetView(snippet)});
  }),
  route(endpoints.deleteSnippet, 'account', (call, {saved_snippet_id: id}) => {
    call.db.deleteRows('saved_snippet', {id: ownSnippet(call, id).id});
    emitSnippets(call, {op: 'remove', saved_snippet_id: id});
  }),
];

interface SnippetRow {
  readonly id: number;
  readonly user_id: number;
  readonly title: string;
  readonly content: string;
  readonly created_at: number;
}

const maxTitleLength = 60;

export function snippetViews(db: Database, userId: number): WireSnippet[] {
  return db.all<SnippetRow>('SELECT * FROM saved_snippet WHERE user_id = ? ORDER BY id', userId).map(snippetView);
}

function snippetView({id, title, content, created_at}: SnippetRow): WireSnippet {
  return {id, title, content, date_created: created_at};
}

export function createSnippet(act: RequestContext, input: {title: string; content: string}): number {
  const row = {user_id: act.actor.id, ...input, ...checkedSnippet(input), created_at: act.now};
  const id = act.db.insertRow('saved_snippet', row);
  emitSnippets(act, {op: 'add', saved_snippet: snippetView({id, ...row})});
  return id;
}

function emitSnippets(act: RequestContext, body: OutgoingBody<'saved_snippets'>): void {
  act.emit('saved_snippets', [act.actor.id], body);
}

function ownSnippet({db, actor}: RequestContext, id: number): SnippetRow {
  const snippet = db.find<SnippetRow>('saved_snippet', {id, user_id: actor.id});
  return required(snippet, () => notFoundError('Saved snippet does not exist.'));
}

/** Returns the texts of a snippet that are given. */
function checkedSnippet(input: {title?: string | undefined; content?: string | undefined}) {
  const {title, content} = input;
  return {
    ...(title === undefined ? {} : {title: cleanText('title', title, maxTitleLength)}),
    ...(content === undefined ? {} : {content: cleanText('content', content, maxContentLength)}),
  };
}

function cleanText(what: string, input: string, maxLength: number): string {
  const text = input.trim();
  check(text !== '', `${what} cannot be blank`);
  check(!text.includes('\0'), `${what} must not contain null bytes.`);
  if (Array.from(text).length > maxLength) throw badRequest(`${what} is too long (limit: ${maxLength} characters)`);
  return text;
}
