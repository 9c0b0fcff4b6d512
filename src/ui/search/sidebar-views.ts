import {narrowLink} from '#content/narrow-link.ts';
import {combinedFeedNarrow, type Narrow, narrowIs} from '#state/model/narrow.ts';
import type {NavigationView} from '#state/slices/navigation-views.ts';
import type {AccountState} from '#state/state.ts';
import {composed} from '#std/composed-text.ts';
import {type Frame, memoByFrame, messagesView, shownConversation, type View, viewKey} from '#ui/core/frame.ts';
import {viewTitle} from '#ui/format/conversation-name.ts';
import {orOperator, orParts} from '#wire/narrow.ts';
import type {builtInFragments} from '#wire/objects/personal.ts';
import {findLink} from './find-conversations.ts';

interface BuiltInView {
  readonly name: string;
  /** Whether it is shown unless the account says otherwise. */
  readonly isPinned: boolean;
  readonly view: (account: AccountState) => View;
}

/** A view that the sidebar can show: a built-in one, or one that the user has added. */
export interface SidebarView {
  /** Identifies the view on the server: `narrow/is/starred`. */
  readonly fragment: string;
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** Whether the sidebar shows it. */
  readonly isPinned: boolean;
  /** Undefined when it leads nowhere, for example to a channel that the user cannot see. */
  readonly view: View | undefined;
  /** Why it leads nowhere. */
  readonly problem?: string;
}

const builtInViews: Readonly<Record<(typeof builtInFragments)[number], BuiltInView>> = {
  inbox: {name: 'Inbox', isPinned: true, view: () => ({kind: 'inbox'})},
  recent: {name: 'Recent', isPinned: true, view: () => ({kind: 'recent'})},
  feed: {name: 'Combined feed', isPinned: false, view: () => messagesView(combinedFeedNarrow)},
  'narrow/is/mentioned': {name: 'Mentions', isPinned: true, view: () => messagesView(narrowIs('mentioned'))},
  'narrow/has/reaction/sender/me': {
    name: 'Reactions',
    isPinned: false,
    view: ({self}) =>
      messagesView([
        {operator: 'has', operand: 'reaction'},
        {operator: 'sender', operand: self.userId},
      ]),
  },
  'narrow/is/starred': {name: 'Starred', isPinned: true, view: () => messagesView(narrowIs('starred'))},
  drafts: {name: 'Drafts', isPinned: true, view: () => ({kind: 'drafts', tab: 'drafts'})},
  scheduled: {name: 'Scheduled', isPinned: false, view: () => ({kind: 'drafts', tab: 'scheduled'})},
  reminders: {name: 'Reminders', isPinned: false, view: () => ({kind: 'drafts', tab: 'reminders'})},
};

/**
 * Returns the views of the sidebar in their order, hidden ones too. The account says which are shown and has the user's own
 * views. Servers store no order, and older ones no views: these are saved on this machine.
 */
export const sidebarViews = memoByFrame(
  ({account, screen}) => [
    account.navigationViews,
    account.channels,
    account.users,
    account.mutedUsers,
    account.self,
    account.server.abilities,
    screen.sidebarOrder,
    screen.localViews,
  ],
  ({account, screen}: Frame) => inOrder(viewsOf(account, screen.localViews), screen.sidebarOrder),
);

/** Returns the built-in views, then the user's own. `local` are those that are saved on this machine. */
export function viewsOf(account: AccountState, local: readonly NavigationView[]): readonly SidebarView[] {
  const navigationViews = new Map([...local.map((view) => [view.fragment, view] as const), ...account.navigationViews]);
  const builtIn = Object.entries(builtInViews).map(([fragment, {name, isPinned, view}]): SidebarView => {
    const stored = navigationViews.get(fragment);
    return {fragment, name, isBuiltIn: true, isPinned: stored?.isPinned ?? isPinned, view: view(account)};
  });
  const own = [...navigationViews.values()].flatMap(({fragment, isPinned, name}): SidebarView[] => {
    if (Object.hasOwn(builtInViews, fragment)) return [];
    return [{fragment, name: name ?? fragment, isBuiltIn: false, isPinned, ...viewOfFragment(account, fragment)}];
  });
  return [...builtIn, ...own];
}

/** Views that the order does not name stay behind the one before them. */
function inOrder(views: readonly SidebarView[], order: readonly string[]): readonly SidebarView[] {
  if (order.length === 0) return views;
  const ranks = new Map(order.map((fragment, rank) => [fragment, rank]));
  let last = -1;
  const ranked = views.map((view) => {
    last = ranks.get(view.fragment) ?? last;
    return {view, rank: last};
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({view}) => view);
}

function viewOfFragment(account: AccountState, fragment: string): Pick<SidebarView, 'view' | 'problem'> {
  const link = findLink(account, `#${fragment}`) ?? {problem: 'Only other programs can open it.'};
  return 'problem' in link ? {view: undefined, problem: link.problem} : {view: messagesView(link.narrow)};
}

/**
 * Returns the title of a view: the name that the user gave it, if it is a saved search. A conversation keeps its own
 * name, because that is where a message goes. `organization` names the one that the view is about.
 */
export function savedViewTitle(frame: Frame, view: View, organization?: string): string {
  if (shownConversation({view}) !== undefined) return viewTitle(frame, view);
  const key = viewKey(view);
  const saved = sidebarViews(frame).find(
    (one) => !one.isBuiltIn && one.view !== undefined && viewKey(one.view) === key,
  );
  if (saved === undefined) return viewTitle(frame, view, organization);
  return organization === undefined ? saved.name : composed`${saved.name} in ${organization}`;
}

/** Returns the fragment of a view; undefined for views that other clients do not have. */
export function fragmentOfView(account: AccountState, view: View): string | undefined {
  const key = viewKey(view.kind === 'triage' ? {kind: 'inbox'} : view);
  const builtIn = Object.entries(builtInViews).find(([, entry]) => {
    const own = entry.view(account);
    return viewKey(own) === key && (own.kind !== 'drafts' || view.kind !== 'drafts' || own.tab === view.tab);
  });
  if (builtIn !== undefined) return builtIn[0];
  return view.kind === 'messages' && view.narrow.length > 0 ? fragmentOfNarrow(account, view.narrow) : undefined;
}

/** Returns the fragment of a narrow. Narrows that are joined by `or` are each a term: `narrow/or/channel.2F5-ops/or/…`. */
export function fragmentOfNarrow(account: AccountState, narrow: Narrow): string {
  const {channels, self} = account;
  const parts = orParts(narrow)?.map((part) => fragmentOfNarrow(account, part).slice('narrow/'.length));
  if (parts !== undefined)
    return narrowLink(parts.map((operand) => ({operator: orOperator, operand, negated: false}))).slice(1);
  const terms = narrow.map(({operator, operand, negated}) => ({
    operator,
    // Links to direct messages list all participants.
    operand: Array.isArray(operand) ? [...operand.map(Number), self.userId].sort((a, b) => a - b) : operand,
    negated: negated === true,
  }));
  return narrowLink(terms, (id) => channels.get(id)?.name).slice(1);
}
