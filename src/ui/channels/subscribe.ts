import {resubscribe, subscribe, unsubscribe} from '#state/actions/channels.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {canReadUnsubscribed, canSubscribe, isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {confirm} from '#ui/overlays/picker.ts';

/** Returns the name of one channel, or the number of several. */
export function channelsTitle({state}: App, channelIds: readonly number[]): string {
  const [first] = channelIds;
  return first !== undefined && channelIds.length === 1
    ? `#${channelName(state, first)}`
    : countedNoun(channelIds.length, 'channel');
}

/** Returns the text for channels that the server, or the user's role, did not allow. */
export function refusedText(names: readonly string[]): string {
  return `not allowed for ${names.map((name) => `#${name}`).join(', ')}`;
}

/** Subscribes to the channels that are not subscribed; unsubscribes when all of them are. */
export function toggleSubscribed(app: App, channelIds: readonly number[]): void {
  const others = channelIds.filter((id) => !isSubscribed(app.state, id));
  if (others.length > 0) subscribeNow(app, others);
  else unsubscribeOrAsk(app, channelIds);
}

function subscribeNow(app: App, channelIds: readonly number[]): void {
  const {state, clock, session} = app;
  const permissions = channelIds.map((id) => ({id, permission: canSubscribe(state, id, clock.now())}));
  const ids = permissions.flatMap(({id, permission}) => (permission.ok ? [id] : []));
  const [reason] = permissions.flatMap(({permission}) => (permission.ok ? [] : [permission.reason]));
  if (ids.length === 0) {
    if (reason !== undefined) app.toast(reason, 'warning');
    return;
  }
  const known = permissions.flatMap(({id, permission}) => (permission.ok ? [] : [channelName(state, id)]));
  const title = channelsTitle(app, ids);
  requestFromServer(app, {
    progressText: `Subscribing to ${title}…`,
    send: async () => {
      const {unauthorized, added} = await subscribe(session.context, ids);
      if (unauthorized.length === ids.length) throw new Error('a subscriber has to add you.');
      return {refused: [...known, ...unauthorized], added: [...added.keys()].filter((id) => added.get(id)?.length)};
    },
    doneText: ({refused, added}) => {
      const done = undoOffer(app, {
        label: `Subscribed to ${channelsTitle(app, added)}`,
        undo: () => unsubscribe(session.context, added),
        undoneText: `Unsubscribed from ${channelsTitle(app, added)} again`,
        failureText: `Still subscribed to ${channelsTitle(app, added)}`,
      });
      return refused.length === 0 ? done : {...done, note: refusedText(refused)};
    },
    failureText: `Not subscribed to ${title}`,
  });
}

/** Unsubscribes; asks first if the user could not subscribe again without help. */
function unsubscribeOrAsk(app: App, channelIds: readonly number[]): void {
  const {state, clock} = app;
  const canRejoin = (id: number) => {
    const channel = state.channels.get(id);
    return channel !== undefined && canReadUnsubscribed(state, channel, clock.now());
  };
  const [final] = channelIds.filter((id) => !canRejoin(id));
  const rejoinable = channelIds.filter(canRejoin);
  if (final === undefined) {
    unsubscribeNow(app, channelIds, rejoinable);
    return;
  }
  const title = channelsTitle(app, channelIds);
  confirm(app, {
    title: `Unsubscribe from ${title}?`,
    yes: 'Unsubscribe',
    detail: channelIds.length === 1 ? 'you cannot rejoin' : `you cannot rejoin #${channelName(state, final)}`,
    onYes: () => unsubscribeNow(app, channelIds, rejoinable),
  });
}

function unsubscribeNow(app: App, channelIds: readonly number[], rejoinable: readonly number[]): void {
  const {context} = app.session;
  const title = channelsTitle(app, channelIds);
  const again = channelsTitle(app, rejoinable);
  const label = `Unsubscribed from ${title}`;
  requestFromServer(app, {
    progressText: `Unsubscribing from ${title}…`,
    send: () => unsubscribe(context, channelIds),
    doneText: (left) =>
      rejoinable.length === 0
        ? label
        : undoOffer(app, {
            label,
            undo: () => resubscribe(context, {...left, channelIds: rejoinable}),
            undoneText: `Subscribed to ${again} again`,
            failureText: `Not subscribed to ${again}`,
          }),
    failureText: `Still subscribed to ${title}`,
  });
}
