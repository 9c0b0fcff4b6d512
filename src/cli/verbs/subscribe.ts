import {conversationNeeds, type StateContext, type StateNeeds} from '#cli/account-access/with-state.ts';
import {exitCodes} from '#cli/io.ts';
import {channelArgument, requirePermission, userArgument} from '#cli/name-arguments.ts';
import {canRemoveSubscribers} from '#state/selectors/permissions/channel-permissions.ts';
import {composed, joined} from '#std/composed-text.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import {stateVerb} from './account-verb.ts';
import type {VerbArguments, VerbRunner} from './verb-table.ts';

type SubscribeVerb = 'subscribe' | 'unsubscribe';

/** Reads the channels and users of a command line. Requests name channels, and an unknown name would create one. */
function subscribingArguments({state, words, values}: Pick<StateContext, 'state'> & VerbArguments<SubscribeVerb>) {
  const channels = words.map((word) => channelArgument(state, word));
  const principals = [...new Set(values.user.map((text) => userArgument(state, text).id))];
  return {
    channelIds: channels.map(({id}) => id),
    names: [...new Set(channels.map(({name}) => name))],
    principals,
    request: principals.length > 0 ? {principals} : {},
    who: principals.length === 0 ? '' : ` ${countedNoun(principals.length, 'user')}`,
  };
}

function subscribingNeeds({values}: VerbArguments<SubscribeVerb>): StateNeeds {
  return {fetch: [...conversationNeeds, 'realm_user_groups'], people: values.user.length > 0 ? 'all' : 'self'};
}

export const subscribe: VerbRunner<'subscribe'> = stateVerb(subscribingNeeds, async (context) => {
  const {names, request, who} = subscribingArguments(context);
  const subscriptions = names.map((name) => ({name}));
  const {subscribed, already_subscribed, unauthorized} = await context.api.subscribe({
    subscriptions,
    ...request,
    authorization_errors_fatal: false,
  });
  const refused = unauthorized ?? [];
  const allowed = names.filter((name) => !refused.includes(name));
  return {
    json: {subscribed, alreadySubscribed: already_subscribed, unauthorized: refused},
    text: allowed.length === 0 ? undefined : composed`Subscribed${who} to ${channelList(allowed)}.`,
    ...(refused.length > 0 && {
      notice: `You do not have the permission to subscribe to ${channelList(refused)}.`,
      exitCode: exitCodes.refused,
    }),
  };
});

export const unsubscribe: VerbRunner<'unsubscribe'> = stateVerb(subscribingNeeds, async (context) => {
  const {state, api, io} = context;
  const {names, principals, channelIds, request, who} = subscribingArguments(context);
  for (const id of channelIds) {
    for (const userId of principals) requirePermission(canRemoveSubscribers(state, id, io.clock.now(), userId));
  }
  const {removed, not_removed} = await api.unsubscribe({subscriptions: names, ...request});
  return {
    json: {unsubscribed: removed, notSubscribed: not_removed},
    text:
      removed.length > 0
        ? composed`Unsubscribed${who} from ${channelList(removed)}.`
        : `Not subscribed to ${channelList(names)}.`,
  };
});

function channelList(names: readonly string[]): string {
  return joined(names.map((name) => printableLine(composed`#${name}`)));
}
