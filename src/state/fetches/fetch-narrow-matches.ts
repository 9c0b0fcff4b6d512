import {narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import type {SessionContext} from '#state/session-context.ts';
import {fetchOnce, fetchWithRetries} from './fetch-once.ts';
import {wireNarrow} from './fetch-page.ts';

/** The server's word on the live messages of a timeline that could not be judged here. */
export function fetchNarrowMatches(
  context: SessionContext,
  {narrow, undecidedIds: unjudged}: Timeline,
): Promise<void> {
  const {api, cache} = context;
  return fetchOnce(context, ['timeline', narrowKey(narrow), 'matches'], async (signal) => {
    let waiting = unjudged.toArray();
    while (waiting.length > 0) {
      const asked = new Map(waiting.map((id) => [id, cache.base.messages.byId.get(id)]));
      const args = {msg_ids: waiting, narrow: wireNarrow(narrow, cache.state.self.userId)};
      const {messages} = await fetchWithRetries(context, signal, () => api.matchNarrow(args, {signal}));
      signal.throwIfAborted();
      // What changed while the question was in the air is asked about again.
      const isAsAsked = (id: number) => cache.base.messages.byId.get(id) === asked.get(id);
      const judged = waiting.filter(isAsAsked);
      const matches = Object.entries(messages)
        .map(([id, match]) => ({id: Number(id), content: match.match_content, topic: match.match_subject}))
        .filter(({id}) => isAsAsked(id));
      cache.apply({type: 'matches_fetched', narrow, decidedIds: judged, matches});
      waiting = waiting.filter((id) => !judged.includes(id));
    }
  });
}
