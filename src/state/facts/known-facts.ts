import type {Message} from '#state/model/message.ts';
import type {SessionContext} from '#state/session-context.ts';
import {nameFacts} from './name-facts.ts';

// Without any of these, and without linkifiers, a message has no facts.
const reference = /[@#]_?\*|user_uploads\/|https?:/;

/**
 * Returns fetched messages with the facts that are known, so that they are not fetched again: of the loaded or saved
 * version with the same content, or else those of the names as they are now.
 */
export function withKnownFacts({cache, store}: SessionContext, messages: readonly Message[]): readonly Message[] {
  const {byId} = cache.base.messages;
  const hasLinkifiers = cache.base.linkifiers.length > 0;
  const candidates = messages.filter(({content}) => hasLinkifiers || reference.test(content));
  if (candidates.length === 0) return messages;
  const unloaded = candidates.filter(({id}) => byId.get(id)?.facts === undefined);
  const saved = new Map(store.messages.byIds(unloaded.map(({id}) => id)).map((message) => [message.id, message]));
  return messages.map((message) => {
    const versions = [byId.get(message.id), saved.get(message.id)];
    const known = versions.find((version) => version?.facts !== undefined && version.content === message.content);
    const facts = known?.facts ?? nameFacts(cache.base, message).facts;
    return facts === undefined ? message : {...message, facts};
  });
}
