import {type Narrow, narrowKey} from '#state/model/narrow.ts';
import type {ConversationUnreads} from '#state/model/unread.ts';
import type {AccountState} from '#state/state.ts';
import {matchesNarrow} from '#state/timelines/narrow-membership.ts';
import type {NarrowTerm} from '#wire/narrow.ts';

/**
 * The unread messages that a view shows, ascending. Whatever follows from where a message is, and from mentions and stars,
 * counts for all of them, loaded or not; of views that only the server understands, what the open view shows.
 */
export function unreadIdsOf(state: AccountState, narrow: Narrow): number[] {
  if (narrow.some((term) => isUnread(term) && term.negated === true)) return [];
  const terms = narrow.filter((term) => term.operator !== 'near' && !isUnread(term));
  if (terms.length === 0) return [...state.unreads.byId.keys()];
  const unmentioned = terms.filter((term) => !isMentioned(term));
  const shown = state.timelines.get(narrowKey(narrow))?.ids;
  const ids = conversationsIn(state, terms).flatMap(({conversation, ids}) =>
    ids.toArray().filter((id) => {
      const subject = {id, conversation, message: state.messages.byId.get(id)};
      const verdict = matchesNarrow(state, state.unreads.mentions.has(id) ? unmentioned : terms, subject);
      return verdict ?? shown?.has(id) ?? false;
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

/** Those that can have any of them: what is in one channel is found without looking at all others. */
function conversationsIn({unreads}: AccountState, terms: Narrow): readonly ConversationUnreads[] {
  const {conversations, channels} = unreads;
  const all = () => [...conversations.values()];
  // It stands for a conversation that may be anywhere by now.
  if (terms.some(({operator}) => operator === 'with')) return all();
  const wanted = terms.filter(({negated}) => negated !== true);
  const channel = wanted.find(({operator}) => operator === 'channel')?.operand;
  if (typeof channel === 'number') {
    return [...(channels.get(channel) ?? [])].flatMap((key) => conversations.get(key) ?? []);
  }
  const isDirect = wanted.some(
    ({operator, operand}) => directOperators.has(operator) || (operator === 'is' && operand === 'dm'),
  );
  return isDirect ? all().filter(({conversation}) => conversation.kind === 'direct') : all();
}
