import {narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';
import {wireNarrow} from './fetch-page.ts';

/** Asks the server which live messages of a timeline match a narrow that the client cannot evaluate. */
export function fetchNarrowMatches(context: SessionContext, {narrow, undecidedIds}: Timeline): Promise<void> {
  const {api, cache} = context;
  return fetchOnce(context, ['timeline', narrowKey(narrow), 'matches'], async (signal) => {
    let pendingIds = undecidedIds.toArray();
    while (pendingIds.length > 0) {
      const versions = new Map(pendingIds.map((id) => [id, cache.base.messages.byId.get(id)]));
      const args = {msg_ids: pendingIds, narrow: wireNarrow(narrow, cache.state.self.userId)};
      const {messages} = await fetchWithRetries(context, signal, () => api.matchNarrow(args, {signal}));
      signal.throwIfAborted();
      // Messages that changed while the request was in flight are asked about again.
      const isUnchanged = (id: number) => cache.base.messages.byId.get(id) === versions.get(id);
      const decidedIds = pendingIds.filter(isUnchanged);
      const matches = Object.entries(messages)
        .map(([id, match]) => ({id: Number(id), content: match.match_content, topic: match.match_subject}))
        .filter(({id}) => isUnchanged(id));
      cache.apply({type: 'matches_fetched', narrow, decidedIds, matches});
      pendingIds = pendingIds.filter((id) => !decidedIds.includes(id));
    }
  });
}
