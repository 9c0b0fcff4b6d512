import type {CatchUpCard, CatchUpReason} from '#state/selectors/catch-up.ts';
import {countedNoun} from './counted-noun.ts';

/** Returns why a conversation is worth a look: `mentions you, asks you, 4 reactions`. */
export function catchUpReasonText(card: CatchUpCard): string {
  // A question is direct already, and a mention makes a topic a followed one.
  const isSaid = (reason: CatchUpReason, at: number) => at === 0 || (reason !== 'direct' && reason !== 'followed');
  return card.reasons
    .filter(isSaid)
    .map((reason) => reasonText(reason, card))
    .join(', ');
}

function reasonText(reason: CatchUpReason, {reactions, count}: CatchUpCard): string {
  switch (reason) {
    case 'mention':
      return 'mentions you';
    case 'question':
      return 'asks you';
    case 'direct':
      return 'direct message';
    case 'reactions':
      return countedNoun(reactions, 'reaction');
    case 'resolved':
      return 'resolved';
    case 'followed':
      return 'followed';
    case 'other':
      return countedNoun(count, 'message');
  }
}
