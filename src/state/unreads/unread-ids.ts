import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {ConversationUnreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import type {NarrowTerm} from '#wire/narrow.ts';

/**
 * Returns the unread messages that a view shows, ascending. Terms about conversations, mentions and stars are evaluated
 * for all unread messages, loaded or not; terms that only the server understands follow the open timeline. `onUnknown` is
 * called for each message of which neither says whether the view shows it.
 */
export function unreadIdsOf(state: AccountState, narrow: Narrow, onUnknown?: () => void): number[] {
  if (narrow.some((term) => isUnread(term) && term.negated === true)) return [];
  const terms = narrow.filter((term) => term.operator !== 'near' && !isUnread(term));
  if (terms.length === 0) return [...state.unreads.byId.keys()];
  const unmentioned = terms.filter((term) => !isMentioned(term));
  const timeline = state.timelines.get(narrowKey(narrow));
  const isWhole = timeline?.hasOldest === true && timeline.hasNewest && !timeline.isStale;
  const ids = conversationsIn(state, terms).flatMap(({conversation, ids}) =>
    ids.toArray().filter((id) => {
      const candidate = {id, conversation, message: state.messages.byId.get(id)};
      const verdict = matchesNarrow(state, state.unreads.mentions.has(id) ? unmentioned : terms, candidate);
      if (verdict !== undefined) return verdict;
      const isListed = timeline?.ids.has(id) === true;
      if (!isListed && !isWhole) onUnknown?.();
      return isListed;
    }),
  );
  return ids.sort((a, b) => a - b);
}

function isUnread({operator, operand}: NarrowTerm): boolean {
  return operator === 'is' && operand === 'unread';
}

function isMentioned({operator, operand, negated}: NarrowTerm): boolean {
  return operator === 'is' && operand === 'mentioned' && negated !== true;
}

const directOperators: ReadonlySet<string> = new Set(['dm', 'dm-including', 'group-pm-with']);

/** Returns the conversations that can contain matches; terms for one channel avoid visiting all others. */
function conversationsIn({unreads}: AccountState, terms: Narrow): readonly ConversationUnreads[] {
  const {conversations, channels} = unreads;
  const all = () => [...conversations.values()];
  // `with` refers to a conversation that may have moved anywhere.
  if (terms.some(({operator}) => operator === 'with')) return all();
  const positive = terms.filter(({negated}) => negated !== true);
  const channel = positive.find(({operator}) => operator === 'channel')?.operand;
  if (typeof channel === 'number') {
    return [...(channels.get(channel) ?? [])].flatMap((key) => conversations.get(key) ?? []);
  }
  const isDirect = positive.some(
    ({operator, operand}) => directOperators.has(operator) || (operator === 'is' && operand === 'dm'),
  );
  return isDirect ? all().filter(({conversation}) => conversation.kind === 'direct') : all();
}
