import {conversationNeeds, type StateContext, withState} from '#cli/account-access/with-state.ts';
import {type ExitCode, exitCodes} from '#cli/exit-codes.ts';
import {type CliIo, print, printJson, printNotice} from '#cli/io.ts';
import {changeRepeatably} from '#cli/make-change.ts';
import {channelArgument, requirePermission, userArgument} from '#cli/name-arguments.ts';
import type {VerbRunner} from '#cli/verbs/verb-runner.ts';
import type {VerbArguments} from '#cli/verbs/verb-table.ts';
import {canRemoveSubscribers} from '#state/selectors/permissions/channel-permissions.ts';
import {printableLine} from '#std/printable.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';

type SubscribeArguments = VerbArguments<'subscribe' | 'unsubscribe'>;

/** The channels and users of a command line. Requests name channels, and an unknown name would create one. */
interface Subscribing {
  readonly channelIds: readonly number[];
  readonly names: readonly string[];
  readonly principals: readonly number[];
}

export const subscribe: VerbRunner<'subscribe'> = (verbArguments, io, signal) =>
  withSubscribing(verbArguments, io, signal, async ({api}, {names, principals}) => {
    const {subscribed, already_subscribed, unauthorized} = await changeRepeatably(() =>
      api.subscribe({
        subscriptions: names.map((name) => ({name})),
        ...(principals.length > 0 && {principals: [...principals]}),
        authorization_errors_fatal: false,
      }),
    );
    const refused = unauthorized ?? [];
    const allowed = names.filter((name) => !refused.includes(name));
    if (verbArguments.values.json) {
      printJson(io, {subscribed, alreadySubscribed: already_subscribed, unauthorized: refused});
    } else if (allowed.length > 0) {
      const who = principals.length === 0 ? '' : ` ${countedNoun(principals.length, 'user')}`;
      print(io, `Subscribed${who} to ${channelList(allowed)}.`);
    }
    if (refused.length === 0) return exitCodes.ok;
    printNotice(io, `You do not have the permission to subscribe to ${channelList(refused)}.`);
    return exitCodes.refused;
  });

export const unsubscribe: VerbRunner<'unsubscribe'> = (verbArguments, io, signal) =>
  withSubscribing(verbArguments, io, signal, async ({api, state}, {names, principals, channelIds}) => {
    for (const id of channelIds) {
      for (const userId of principals) requirePermission(canRemoveSubscribers(state, id, io.clock.now(), userId));
    }
    const {removed, not_removed} = await changeRepeatably(() =>
      api.unsubscribe({
        subscriptions: [...names],
        ...(principals.length > 0 && {principals: [...principals]}),
      }),
    );
    const who = principals.length === 0 ? '' : ` ${countedNoun(principals.length, 'user')}`;
    if (verbArguments.values.json) printJson(io, {unsubscribed: removed, notSubscribed: not_removed});
    else if (removed.length > 0) print(io, `Unsubscribed${who} from ${channelList(removed)}.`);
    else print(io, `Not subscribed to ${channelList(names)}.`);
    return exitCodes.ok;
  });

function withSubscribing(
  {values, words}: SubscribeArguments,
  io: CliIo,
  signal: AbortSignal,
  body: (context: StateContext, subscribing: Subscribing) => Promise<ExitCode>,
): Promise<ExitCode> {
  const people = values.user.length > 0 ? 'all' : 'self';
  return withState(values, io, signal, {fetch: [...conversationNeeds, 'realm_user_groups'], people}, (context) => {
    const channels = words.map((word) => channelArgument(context.state, word));
    const names = channels.map(({name}) => name);
    const principals = values.user.map((text) => userArgument(context.state, text).id);
    const channelIds = channels.map(({id}) => id);
    return body(context, {channelIds, names: [...new Set(names)], principals: [...new Set(principals)]});
  });
}

function channelList(names: readonly string[]): string {
  return names.map((name) => printableLine(`#${name}`)).join(', ');
}
