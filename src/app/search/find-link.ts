import {messagesView} from '#app/core/view.ts';
import {viewTitle} from '#app/format/view-title.ts';
import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {AccountState} from '#state/state.ts';

/** What a link to a conversation or message leads to, or the reason why it leads nowhere. */
export type FoundLink =
  | {readonly title: string; readonly detail: string; readonly narrow: Narrow}
  | {readonly problem: string};

/** Returns where a link `https://…/#narrow/…` leads, copied with or without `<…>`; undefined for other text. */
export function findLink(account: AccountState, typed: string): FoundLink | undefined {
  const link = typed.trim().replace(/^<(.*)>$/u, '$1');
  if (!/^(?:https?:\/\/\S*)?#narrow\/\S*$/iu.test(link)) return undefined;
  const found = parseDestination(account, link);
  if (found.kind === 'problem') return {problem: found.problem};
  const narrow = found.kind === 'conversation' ? conversationNarrow(found.conversation) : found.narrow;
  const near = narrow.find(({operator}) => operator === 'near')?.operand;
  const view = messagesView(narrow.filter(({operator}) => operator !== 'near'));
  return {
    title: viewTitle({account}, view),
    detail: near === undefined ? 'from the link' : `message ${near}`,
    narrow,
  };
}
