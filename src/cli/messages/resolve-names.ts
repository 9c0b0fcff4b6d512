import {type StateContext, withFetchedGroups, withFetchedUsers} from '#cli/account-access/with-state.ts';
import {readRenderedFacts} from '#content/read-rendered-facts.ts';
import {nameFacts} from '#state/facts/name-facts.ts';
import type {AccountState} from '#state/state.ts';
import type {ListedMessage} from './fetch-messages.ts';
import {usersNamedById} from './message-text.ts';

const pageSize = 100;

/** Returns the messages with what the names in them meant when they were written, and a state with today's names. */
export async function resolveNames(
  context: StateContext,
  listed: readonly ListedMessage[],
): Promise<{readonly state: AccountState; readonly messages: readonly ListedMessage[]}> {
  const messages = await withRenderedFacts(context, listed);
  const userIds = messages.flatMap(({message}) => [
    ...usersNamedById(message),
    ...Object.values(message.facts?.users ?? {}),
  ]);
  const named = await withFetchedUsers(context, userIds);
  const hasGroups = messages.some(({message}) => message.facts?.groups !== undefined);
  return {state: (hasGroups ? await withFetchedGroups(named) : named).state, messages};
}

/** Fetches the renderings of messages with names that are not known here: they say who and what is meant. */
async function withRenderedFacts(
  {api, state}: StateContext,
  listed: readonly ListedMessage[],
): Promise<readonly ListedMessage[]> {
  const unresolved = listed.flatMap(({message}) => (nameFacts(state, message).areAllFound ? [] : [message.id]));
  if (!state.server.abilities.messagesByIds) return listed;
  const html = new Map<number, string>();
  for (let i = 0; i < unresolved.length; i += pageSize) {
    const ids = unresolved.slice(i, i + pageSize);
    const {messages} = await api.getMessages({message_ids: ids, apply_markdown: true, client_gravatar: true});
    for (const {id, content} of messages) html.set(id, content);
  }
  return listed.map((one) => {
    const rendered = html.get(one.message.id);
    if (rendered === undefined) return one;
    return {...one, message: {...one.message, facts: readRenderedFacts(rendered, one.message.content)}};
  });
}
