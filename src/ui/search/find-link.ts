import {conversationNarrow, type Narrow} from '#state/model/narrow.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {AccountState} from '#state/state.ts';
import {messagesView} from '#ui/core/frame.ts';
import {viewTitle} from '#ui/format/view-title.ts';

/** What a link to a conversation or message leads to, or the reason why it leads nowhere. */
export type FoundLink =
  | {readonly title: string; readonly detail: string; readonly narrow: Narrow}
  | {readonly problem: string};

const linkText = /^(?:https?:\/\/\S*)?#narrow\/\S*$/iu;

/** Returns the link that ends a text, also in `<…>` or `[…](…)`: the search box may contain the shown search before it. */
export function narrowLinkIn(typed: string): string | undefined {
  const lastWord = typed.trim().split(/\s/u).at(-1) ?? '';
  const link = lastWord.replace(/^(?:<|.*\]\()(.*)[>)]$/u, '$1');
  return linkText.test(link) ? link : undefined;
}

/** Returns where a link `https://…/#narrow/…` leads; undefined for other text. */
export function findLink(account: AccountState, typed: string): FoundLink | undefined {
  const link = narrowLinkIn(typed);
  if (link === undefined) return undefined;
  const found = parseDestination(account, link);
  if (found.kind === 'problem') return {problem: found.problem};
  const narrow = found.kind === 'conversation' ? conversationNarrow(found.conversation) : found.narrow;
  const people = narrow.find(({operator}) => operator === 'dm')?.operand;
  if (Array.isArray(people) && people.some((id: string | number) => !account.users.has(Number(id)))) {
    return {problem: 'This link names an unknown user.'};
  }
  const near = narrow.find(({operator}) => operator === 'near')?.operand;
  const view = messagesView(narrow.filter(({operator}) => operator !== 'near'));
  return {
    title: viewTitle({account}, view),
    detail: near === undefined ? 'from the link' : `message ${near}`,
    narrow,
  };
}
