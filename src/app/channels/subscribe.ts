import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import {confirm} from '#app/overlays/confirm.ts';
import {resubscribe, subscribe, unsubscribe} from '#state/actions/channels.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {canSubscribe, isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';

/** Subscribes to a channel, or unsubscribes from it. */
export function toggleSubscribed(app: App, channelId: number): void {
  if (isSubscribed(app.state, channelId)) unsubscribeOrAsk(app, channelId);
  else subscribeNow(app, channelId);
}

function subscribeNow(app: App, channelId: number): void {
  const permission = canSubscribe(app.state, channelId, app.clock.now());
  const name = channelName(app.state, channelId);
  if (!permission.ok) {
    app.toast(permission.reason, 'warning');
    return;
  }
  requestFromServer(app, {
    progressText: `Subscribing to #${name}…`,
    send: async () => {
      const {unauthorized} = await subscribe(app.session.context, [channelId]);
      if (unauthorized.length > 0) throw new Error('a subscriber has to add you.');
    },
    doneText: () => {
      const label = `Subscribed to #${name}`;
      const undo = () => {
        requestFromServer(app, {
          send: () => unsubscribe(app.session.context, [channelId]),
          doneText: () => `Unsubscribed from #${name} again`,
          failureText: `Still subscribed to #${name}`,
        });
        return `Unsubscribing from #${name} again…`;
      };
      app.undoStack.push({label, undo});
      return `${label} · Z undo`;
    },
    failureText: `Not subscribed to #${name}`,
  });
}

/** Unsubscribes; asks first for a private channel, because the user cannot subscribe again without help. */
function unsubscribeOrAsk(app: App, channelId: number): void {
  const name = channelName(app.state, channelId);
  if (app.state.channels.get(channelId)?.isPrivate === true) {
    confirm(app, {
      title: `Unsubscribe from #${name}?`,
      yes: `Unsubscribe from #${name}`,
      detail: 'a subscriber would have to add you again',
      onYes: () => unsubscribeNow(app, channelId, name),
    });
  } else {
    unsubscribeNow(app, channelId, name);
  }
}

function unsubscribeNow(app: App, channelId: number, name: string): void {
  const label = `Unsubscribed from #${name}`;
  requestFromServer(app, {
    progressText: `Unsubscribing from #${name}…`,
    send: () => unsubscribe(app.session.context, [channelId]),
    doneText: (left) => {
      const undo = () => {
        requestFromServer(app, {
          send: () => resubscribe(app.session.context, left),
          doneText: () => `Subscribed to #${name} again`,
          failureText: `Not subscribed to #${name}`,
        });
        return `Subscribing to #${name} again…`;
      };
      app.undoStack.push({label, undo});
      return `${label} · Z undo`;
    },
    failureText: `Still subscribed to #${name}`,
  });
}
