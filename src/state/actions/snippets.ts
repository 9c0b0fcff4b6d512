import type {SessionContext} from '#state/session-context.ts';

/** Returns the id of the new snippet. */
export async function saveSnippet({api, signal}: SessionContext, title: string, content: string): Promise<number> {
  return (await api.createSnippet({title, content}, {signal})).saved_snippet_id;
}

export async function editSnippet(
  {api, signal}: SessionContext,
  id: number,
  change: {readonly title?: string; readonly content?: string},
): Promise<void> {
  await api.editSnippet({saved_snippet_id: id, ...change}, {signal});
}

export async function deleteSnippet({api, signal}: SessionContext, id: number): Promise<void> {
  await api.deleteSnippet({saved_snippet_id: id}, {signal});
}
