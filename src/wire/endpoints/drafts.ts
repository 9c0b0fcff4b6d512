import {endpoint, json, optional, pathId, text} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {draft, draftInput} from '#wire/objects/draft.ts';
import {snippet} from '#wire/objects/snippet.ts';
import {int, object, s, wholeArray} from '#wire/schema.ts';

export const getDrafts = endpoint('draft.list', 'GET /drafts', {
  since: levels.drafts,
  result: object({count: int, drafts: s.array(draft)}),
});

export const createDrafts = endpoint('draft.create', 'POST /drafts', {
  since: levels.drafts,
  params: {drafts: json(s.array(draftInput))},
  result: object({ids: wholeArray(int)}),
});

export const editDraft = endpoint('draft.edit', 'PATCH /drafts/{draft_id}', {
  since: levels.drafts,
  params: {draft_id: pathId, draft: json(draftInput)},
});

export const deleteDraft = endpoint('draft.delete', 'DELETE /drafts/{draft_id}', {
  since: levels.drafts,
  params: {draft_id: pathId},
});

export const getSnippets = endpoint('snippet.list', 'GET /saved_snippets', {
  since: levels.savedSnippets,
  result: object({saved_snippets: s.array(snippet)}),
});

export const createSnippet = endpoint('snippet.create', 'POST /saved_snippets', {
  since: levels.savedSnippets,
  params: {title: text, content: text},
  result: object({saved_snippet_id: int}),
});

export const editSnippet = endpoint('snippet.edit', 'PATCH /saved_snippets/{saved_snippet_id}', {
  since: levels.editSavedSnippet,
  params: {saved_snippet_id: pathId, title: optional(text), content: optional(text)},
});

export const deleteSnippet = endpoint('snippet.delete', 'DELETE /saved_snippets/{saved_snippet_id}', {
  since: levels.savedSnippets,
  params: {saved_snippet_id: pathId},
});
