import {conversationNeeds} from '#cli/account-access/with-state.ts';
import {PlainFailure, UsageError} from '#cli/io.ts';
import {userArgument} from '#cli/name-arguments.ts';
import {actionHandlerOf, type SingleRequestAction} from '#state/actions/reversible-actions.ts';
import {channelName, conversationTitle} from '#state/selectors/names/names.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {AccountState} from '#state/state.ts';
import {composed, joined} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {visibilityPolicies} from '#wire/objects/channel.ts';
import {changeEach, stateVerb} from './account-verb.ts';
import type {VerbRunner} from './verb-table.ts';

type VisibilityVerb = 'mute' | 'unmute' | 'follow' | 'unfollow';

/** What is muted or followed, and the change that does it. */
interface VisibilityChange {
  readonly title: string;
  readonly action: SingleRequestAction;
  /** For JSON. */
  readonly target: object;
}

const doneTexts: Readonly<Record<VisibilityVerb, string>> = {
  mute: 'Muted',
  unmute: 'Unmuted',
  follow: 'Following',
  unfollow: 'No longer following',
};

export const mute = visibilityVerb('mute');

export const unmute = visibilityVerb('unmute');

export const follow = visibilityVerb('follow');

export const unfollow = visibilityVerb('unfollow');

function visibilityVerb(verb: VisibilityVerb): VerbRunner<VisibilityVerb> {
  return stateVerb(
    ({words}) => ({
      fetch: [...conversationNeeds, 'user_topic', 'muted_topics'],
      people: words.some(isUser) ? 'all' : 'self',
    }),
    async ({state, api, io, words}) => {
      const changes = words.map((word) => changeOf(state, verb, word));
      await changeEach(
        io,
        changes,
        ({action}) => actionHandlerOf(action).request(api, action),
        (done) => `${doneText(verb, done)} Then this failed:`,
      );
      return {json: {changed: changes.map(({target}) => target), verb}, text: doneText(verb, changes)};
    },
  );
}

function isUser(word: string): boolean {
  return word.startsWith('@');
}

function doneText(verb: VisibilityVerb, changes: readonly VisibilityChange[]): string {
  return `${doneTexts[verb]} ${joined(changes.map(({title}) => printableLine(title)))}.`;
}

function changeOf(state: AccountState, verb: VisibilityVerb, word: string): VisibilityChange {
  const isMute = verb === 'mute' || verb === 'unmute';
  if (isUser(word)) {
    if (!isMute) throw new UsageError('Only topics can be followed: "#channel>topic".');
    const {id, fullName} = userArgument(state, word);
    if (id === state.self.userId) throw new PlainFailure('You cannot mute yourself.');
    return {
      title: fullName,
      action: {kind: 'mutedUser', userId: id, isMuted: verb === 'mute'},
      target: {kind: 'user', userId: id, name: fullName},
    };
  }
  const destination = parseDestination(state, /^#|^https?:/i.test(word) ? word : `#${word}`, 'exact');
  if (destination.kind === 'problem') throw new PlainFailure(destination.problem);
  if (destination.kind === 'conversation') return topicChange(state, verb, word, destination.conversation);
  const [term, ...more] = destination.narrow;
  if (term?.operator !== 'channel' || more.length > 0) throw new UsageError(`“${word}” is not a channel or topic.`);
  if (!isMute) throw new UsageError(`“${word}” is a channel. Only topics can be followed: "#channel>topic".`);
  return channelChange(state, verb, Number(term.operand));
}

function topicChange(
  state: AccountState,
  verb: VisibilityVerb,
  word: string,
  conversation: Parameters<typeof conversationTitle>[1],
): VisibilityChange {
  if (conversation.kind !== 'topic') throw new UsageError(`“${word}” is not a channel or topic.`);
  const {channelId, topic} = conversation;
  const {none, muted, unmuted, followed} = visibilityPolicies;
  const isChannelMuted = state.subscriptions.get(channelId)?.isMuted === true;
  const policy = {mute: muted, unmute: isChannelMuted ? unmuted : none, follow: followed, unfollow: none}[verb];
  return {
    title: conversationTitle(state, conversation),
    action: {kind: 'topicPolicy', channelId, topic, policy},
    target: {kind: 'topic', channelId, channel: channelName(state, channelId), topic},
  };
}

function channelChange(state: AccountState, verb: VisibilityVerb, channelId: number): VisibilityChange {
  const name = channelName(state, channelId);
  if (state.subscriptions.get(channelId)?.isSubscribed !== true) {
    throw new PlainFailure(composed`You are not subscribed to #${name}.`);
  }
  return {
    title: composed`#${name}`,
    action: {kind: 'subscription', channelId, setting: 'isMuted', value: verb === 'mute'},
    target: {kind: 'channel', channelId, channel: name},
  };
}
