import type {Context} from '#state/context.ts';
import {narrowKey} from '#state/model/narrow.ts';
import type {Timeline} from '#state/model/timeline.ts';
import {once, patiently} from './once.ts';
import {wireNarrow} from './pages.ts';

/** The server's word on the live messages of a timeline that could not be judged here. */
export function fetchMatches(context: Context, {narrow, unjudged}: Timeline): Promise<void> {
  const {api, cache} = context;
  return once(context, ['timeline', narrowKey(narrow), 'matches'], async (signal) => {
    const judged = unjudged.toArray();
    const args = {msg_ids: judged, narrow: wireNarrow(narrow, cache.state.self.userId)};
    const {messages} = await patiently(context, signal, () => api.matchNarrow(args, {signal}));
    signal.throwIfAborted();
    const matches = Object.entries(messages).map(([id, {match_content, match_subject}]) => ({
      id: Number(id),
      content: match_content,
      topic: match_subject,
    }));
    cache.apply({type: 'matches_fetched', narrow, judged, matches});
  });
}
