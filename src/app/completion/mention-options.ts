import {groupMentionMarkdown, mentionMarkdown} from '#content/composer-markdown.ts';
import type {Conversation} from '#state/model/conversation.ts';
import type {Group} from '#state/model/group.ts';
import type {User} from '#state/model/user.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {presenceStatus} from '#state/selectors/people/presence-status.ts';
import {
  canMentionAll,
  canMentionGroup,
  wildcardMentionCount,
} from '#state/selectors/permissions/sending-permissions.ts';
import type {AccountState} from '#state/state.ts';
import {type FuzzyMatch, fuzzyMatch, matchScores} from '#std/fuzzy.ts';
import {FuzzyIndex} from '#std/fuzzy-index.ts';
import {memoBySlices} from '#std/memo.ts';
import {type CompletionContext, type CompletionOption, maxOptions} from './completion.ts';
import {findPeople, isAmbiguous, matchRank, type PersonMatch, withoutWeakMatches} from './find-people.ts';

interface RankedOption {
  readonly score: number;
  readonly nearness: number;
  readonly option: CompletionOption;
}

/** Between those one talks with and everybody else. */
const wildcardNearness = 2;
const groupNearness = 3;
const refusedNearness = 20;

/** Whom to mention: people, groups, and everybody at once. Silent mentions notify nobody, so everybody is not among them. */
export function mentionOptions(
  state: AccountState,
  query: string,
  isSilent: boolean,
  situation: CompletionContext,
): readonly CompletionOption[] {
  const floor = query.includes(' ') ? matchScores.word : 0;
  const {conversation, remap} = situation;
  const people = findPeople(state, {query, conversation, remap, floor}).map(
    (person): RankedOption => ({...person, option: personOption(state, person, isSilent, situation)}),
  );
  const groups = matchingGroups(state, query, isSilent, situation);
  const wildcards = isSilent ? [] : matchingWildcards(state, query, situation);
  const all = [...people, ...wildcards, ...groups].filter(({score}) => score >= floor);
  return [...withoutWeakMatches(all)]
    .sort((a, b) => matchRank(b.score) - matchRank(a.score) || a.nearness - b.nearness || b.score - a.score)
    .slice(0, maxOptions)
    .map(({option}) => option);
}

function personOption(
  state: AccountState,
  {user, ranges}: PersonMatch,
  isSilent: boolean,
  {conversation, nowMs}: CompletionContext,
): CompletionOption {
  const ambiguous = isAmbiguous(state, user);
  return {
    label: user.fullName,
    detail: personDetail(state, user, ambiguous, conversation),
    insert: `${mentionMarkdown(user, ambiguous, isSilent)} `,
    ranges,
    ...(!user.isBot && {presence: presenceStatus(state, user.id, nowMs).status}),
  };
}

/** What tells people apart, and what one would want to know before mentioning them. */
export function personDetail(
  state: AccountState,
  user: User,
  ambiguous: boolean,
  conversation?: Conversation,
): string | undefined {
  const parts: string[] = [];
  if (user.id === state.self.userId) parts.push('you');
  if (user.isBot) parts.push('bot');
  if (ambiguous) parts.push(`${user.deliveryEmail ?? user.email} · ${user.id}`);
  if (conversation?.kind === 'topic') {
    const subscribers = state.subscribers.get(conversation.channelId);
    if (subscribers?.complete === true && !subscribers.ids.has(user.id)) {
      parts.push(`not in #${channelName(state, conversation.channelId)}`);
    }
  }
  return parts.length === 0 ? undefined : parts.join(' · ');
}

const groupsByName = memoBySlices(['groups'], ({groups}: AccountState): FuzzyIndex<number, Group> => {
  const index = new FuzzyIndex<number, Group>();
  for (const group of groups.values()) if (!group.isDeactivated) index.put(group.id, group, group.name);
  return index;
});

/** Groups that follow from roles can only be named silently. */
function matchingGroups(
  state: AccountState,
  query: string,
  isSilent: boolean,
  {nowMs, remap}: CompletionContext,
): readonly RankedOption[] {
  const found = groupsByName(state).find(query, {limit: maxOptions, remap});
  return found.flatMap(({item: group, score, ranges}): RankedOption[] => {
    if (!isSilent && group.isSystemGroup) return [];
    const permission = isSilent ? undefined : canMentionGroup(state, group.id, nowMs);
    const refusal = permission?.ok === false ? permission.reason : undefined;
    const detail = refusal ?? (group.description === '' ? 'group' : `group · ${group.description}`);
    const option = {
      label: group.name,
      detail,
      insert: `${groupMentionMarkdown(group.name, isSilent)} `,
      ranges,
      refusal,
    };
    return [{score, nearness: refusal === undefined ? groupNearness : refusedNearness, option}];
  });
}

interface Wildcard {
  readonly name: string;
  readonly reach: 'channel' | 'topic';
}

function wildcardsFor({server}: AccountState, conversation: Conversation | undefined): readonly Wildcard[] {
  const everybody: Wildcard[] = [
    {name: 'all', reach: 'channel'},
    {name: 'everyone', reach: 'channel'},
  ];
  if (conversation?.kind === 'direct') return everybody;
  if (server.abilities.channelWildcard) everybody.push({name: 'channel', reach: 'channel'});
  if (server.abilities.topicWildcard) everybody.push({name: 'topic', reach: 'topic'});
  return everybody;
}

function matchingWildcards(
  state: AccountState,
  query: string,
  situation: CompletionContext,
): readonly RankedOption[] {
  const {conversation, nowMs} = situation;
  return wildcardsFor(state, conversation).flatMap(({name, reach}): RankedOption[] => {
    const match: FuzzyMatch | undefined = fuzzyMatch(query, name);
    // A name of its own, not one to be guessed from a few letters.
    if (match === undefined || (query !== '' && match.score < matchScores.prefix)) return [];
    const permission =
      conversation === undefined ? undefined : canMentionAll(state, conversation, nowMs, reach);
    const refusal = permission?.ok === false ? permission.reason : undefined;
    const detail = refusal ?? reachText(state, conversation, reach);
    const option = {label: name, detail, insert: `@**${name}** `, ranges: match.ranges, refusal};
    return [
      {score: match.score, nearness: refusal === undefined ? wildcardNearness : refusedNearness, option},
    ];
  });
}

function reachText(
  state: AccountState,
  conversation: Conversation | undefined,
  reach: Wildcard['reach'],
): string {
  if (reach === 'topic') return 'notifies everybody who spoke in this topic';
  const count = conversation === undefined ? undefined : wildcardMentionCount(state, conversation, 'channel');
  const people = count === 1 ? 'person' : 'people';
  if (count !== undefined) return `notifies ${count} ${people}`;
  return 'notifies everybody in this channel';
}
