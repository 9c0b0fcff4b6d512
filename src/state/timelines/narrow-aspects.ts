import type {Narrow} from '#state/model/narrow.ts';
import {dateOperator, mapParts, type NarrowTerm, operatorName, orParts} from '#wire/narrow.ts';

/** A property of messages that decides whether a narrow matches. */
export type MessageAspect = 'conversation' | 'content' | 'flags' | 'starred' | 'unread' | 'reactions';

const everyAspect: readonly MessageAspect[] = ['conversation', 'content', 'flags', 'starred', 'unread', 'reactions'];

const aspectOfIsOperand = new Map<unknown, MessageAspect>([
  ['starred', 'starred'],
  ['unread', 'unread'],
  ['mentioned', 'flags'],
  ['alerted', 'flags'],
]);

function aspectsOf({operator, operand}: NarrowTerm): readonly MessageAspect[] {
  switch (operatorName(operator) ?? dateOperator(operator)) {
    case 'after':
    case 'before':
    case 'near':
    case 'id':
    case 'sender':
      return [];
    case 'search':
      // Searches cover the content and the topic.
      return ['content', 'conversation'];
    case 'mentions':
      return ['content'];
    case 'has':
      return [operand === 'reaction' ? 'reactions' : 'content'];
    case 'in':
      // The feed shows mentions even where everything else is muted.
      return ['conversation', 'flags'];
    case 'is':
      return [aspectOfIsOperand.get(operand) ?? 'conversation'];
    case undefined:
      return everyAspect;
    default:
      return ['conversation'];
  }
}

/** Returns false when a change of that aspect can never change whether the narrow matches. */
export function narrowDependsOn(narrow: Narrow, aspect: MessageAspect): boolean {
  return narrow.some((term) => aspectsOf(term).includes(aspect));
}

/** Returns whether a view changes when topics, channels or users are muted, unmuted or followed. */
export function narrowDependsOnMuting(narrow: Narrow): boolean {
  return (orParts(narrow) ?? [narrow])
    .flat()
    .some(
      ({operator, operand}) =>
        (operator === 'in' && operand === 'home') ||
        (operator === 'is' && (operand === 'muted' || operand === 'followed')),
    );
}

/** Removes `is:unread`: a message that is read in an open view of unread messages stays until the view is reopened. */
export function withoutUnreadTerms(narrow: Narrow): Narrow {
  return mapParts(narrow, (terms) => terms.filter(({operator, operand}) => operator !== 'is' || operand !== 'unread'));
}
