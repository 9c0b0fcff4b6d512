import type {SessionContext} from '#state/session-context.ts';

/** Returns the id of the new snippet. */
export async function saveSnippet({api}: SessionContext, title: string, content: string): Promise<number> {
  return (await api.createSnippet({title, content})).saved_snippet_id;
}
