import type {Narrow} from '#state/model/narrow.ts';
import {type NarrowTerm, operatorName} from '#wire/narrow.ts';

/** What about a message decides whether a view shows it. */
export type MessageAspect = 'place' | 'words' | 'flags' | 'starred' | 'unread' | 'reactions';

const everyAspect: readonly MessageAspect[] = ['place', 'words', 'flags', 'starred', 'unread', 'reactions'];

const isAspects = new Map<unknown, MessageAspect>([
  ['starred', 'starred'],
  ['unread', 'unread'],
  ['mentioned', 'flags'],
  ['alerted', 'flags'],
]);

function aspectsOf({operator, operand}: NarrowTerm): readonly MessageAspect[] {
  switch (operatorName(operator)) {
    case 'near':
    case 'id':
    case 'sender':
      return [];
    case 'search':
      // Searched are the words of a message and those of its topic.
      return ['words', 'place'];
    case 'mentions':
      return ['words'];
    case 'has':
      return [operand === 'reaction' ? 'reactions' : 'words'];
    case 'in':
      // Mentions are heard where everything else is muted.
      return ['place', 'flags'];
    case 'is':
      return [isAspects.get(operand) ?? 'place'];
    case undefined:
      return everyAspect;
    default:
      return ['place'];
  }
}

/** False: whatever happens to that side of a message, the view shows it or not as before. */
export function narrowDependsOn(narrow: Narrow, aspect: MessageAspect): boolean {
  return narrow.some((term) => aspectsOf(term).includes(aspect));
}

/** True for views that change when topics, channels or people are muted, unmuted or followed. */
export function narrowDependsOnMuting(narrow: Narrow): boolean {
  return narrow.some(
    ({operator, operand}) =>
      (operator === 'in' && operand === 'home') ||
      (operator === 'is' && (operand === 'muted' || operand === 'followed')),
  );
}

/** What is read while a view of unread messages is open stays in it until it is opened again. */
export function withoutUnreadTerms(narrow: Narrow): Narrow {
  return narrow.filter(({operator, operand}) => operator !== 'is' || operand !== 'unread');
}
