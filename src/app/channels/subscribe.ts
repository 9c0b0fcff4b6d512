import {requestFromServer} from '#app/actions/server-request.ts';
import type {App} from '#app/core/app.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {openNarrow} from '#app/navigation/navigation.ts';
import {confirm} from '#app/overlays/confirm.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {createChannel, resubscribe, subscribe, unsubscribe} from '#state/actions/channels.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {
  type ChannelPrivacy,
  canCreateChannel,
  canSubscribe,
  isSubscribed,
} from '#state/selectors/permissions/channel-permissions.ts';

/** Joins a channel, or leaves it. */
export function toggleSubscribed(app: App, channelId: number): void {
  if (isSubscribed(app.state, channelId)) leave(app, channelId);
  else join(app, channelId);
}

function join(app: App, channelId: number): void {
  const permission = canSubscribe(app.state, channelId, app.clock.now());
  const name = channelName(app.state, channelId);
  if (!permission.ok) {
    app.toast(permission.reason, 'warning');
    return;
  }
  requestFromServer(app, {
    progressText: `Joining #${name}…`,
    send: async () => {
      const {unauthorized} = await subscribe(app.session.context, [channelId]);
      if (unauthorized.length > 0) throw new Error('somebody in it has to add you.');
    },
    doneText: () => `Subscribed to #${name}`,
    failureText: `Not subscribed to #${name}`,
  });
}

/** A private channel lets nobody back in by themselves. */
function leave(app: App, channelId: number): void {
  const name = channelName(app.state, channelId);
  if (app.state.channels.get(channelId)?.isPrivate === true) {
    confirm(app, {
      title: `Leave #${name}?`,
      yes: `Leave #${name}`,
      detail: 'somebody in it has to add you again',
      onYes: () => leaveNow(app, channelId, name),
    });
  } else {
    leaveNow(app, channelId, name);
  }
}

function leaveNow(app: App, channelId: number, name: string): void {
  const label = `Left #${name}`;
  requestFromServer(app, {
    progressText: `Leaving #${name}…`,
    send: () => unsubscribe(app.session.context, [channelId]),
    doneText: (left) => {
      const undo = () => {
        requestFromServer(app, {
          send: () => resubscribe(app.session.context, left),
          doneText: () => `Subscribed to #${name} again`,
          failureText: `Not back in #${name}`,
        });
        return `Going back to #${name}…`;
      };
      app.undoStack.push({label, undo});
      return `${label} · Z undo`;
    },
    failureText: `Still in #${name}`,
  });
}

const privacies = {
  public: 'Create a public channel',
  private: 'Create a private channel',
} as const satisfies Partial<Record<ChannelPrivacy, string>>;

export function openNewChannelPicker(app: App): void {
  openPicker(app, {
    id: 'new-channel',
    title: 'New channel',
    placeholder: 'Its name',
    rows: ({account, minute}, query) =>
      (['public', 'private'] as const).map((privacy): PickerRow => {
        const permission = canCreateChannel(account, privacy, minute);
        const problem = query.trim() === '' ? 'Write a name first.' : undefined;
        return {
          key: privacy,
          label: privacies[privacy],
          detail: query.trim() === '' ? '' : `#${query.trim()}`,
          disabled: permission.ok ? problem : permission.reason,
        };
      }),
    accept: (asked, {key, detail = ''}) => {
      const name = detail.slice(1);
      asked.closeOverlay();
      requestFromServer(asked, {
        progressText: `Creating #${name}…`,
        send: () => createChannel(asked.session.context, {name, isPrivate: key === 'private'}),
        doneText: (id) => {
          openNarrow(asked, channelNarrow(id));
          return `Created #${name} · c begins a topic`;
        },
        failureText: `#${name} was not created`,
      });
    },
  });
}
