import {isApiFailure, sentence} from '#api/failure.ts';
import type {App} from '#app/app.ts';
import {confirm} from '#app/confirm.ts';
import {openNarrow} from '#app/navigation.ts';
import type {PickerRow} from '#app/overlays/overlay.ts';
import {openPicker} from '#app/overlays/picking.ts';
import {createChannel, rejoin, subscribe, unsubscribe} from '#state/actions/channels.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {
  type ChannelPrivacy,
  canCreateChannel,
  canSubscribe,
  isSubscribed,
} from '#state/selectors/channel-permissions.ts';
import {channelName} from '#state/selectors/names.ts';

/** Joins a channel, or leaves it. */
export function toggleSubscribed(app: App, channelId: number): void {
  if (app.facts.isReadOnly) {
    app.toast('This is a read-only session: nothing is changed.', 'warning');
  } else if (isSubscribed(app.state, channelId)) {
    leave(app, channelId);
  } else {
    join(app, channelId);
  }
}

function join(app: App, channelId: number): void {
  const permission = canSubscribe(app.state, channelId, app.clock.now());
  const name = channelName(app.state, channelId);
  if (!permission.ok) {
    app.toast(permission.reason, 'warning');
    return;
  }
  app.toast(`Joining #${name}…`);
  tell(app, async () => {
    const {unauthorized} = await subscribe(app.session.context, [channelId]);
    if (unauthorized.length > 0) throw new Error(`Somebody in #${name} has to add you.`);
    return `Subscribed to #${name}`;
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
  app.toast(`Leaving #${name}…`);
  tell(app, async () => {
    const left = await unsubscribe(app.session.context, [channelId]);
    const label = `Left #${name}`;
    app.undoStack.push({
      label,
      undo: () => {
        tell(app, async () => {
          await rejoin(app.session.context, left);
          return `Subscribed to #${name} again`;
        });
        return `Going back to #${name}…`;
      },
    });
    return `${label} · Z undo`;
  });
}

const privacies = {
  public: 'Create a public channel',
  private: 'Create a private channel',
} as const satisfies Partial<Record<ChannelPrivacy, string>>;

export function askForNewChannel(app: App): void {
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
      asked.toast(`Creating #${name}…`);
      tell(asked, async () => {
        const id = await createChannel(asked.session.context, {name, isPrivate: key === 'private'});
        openNarrow(asked, channelNarrow(id));
        return `Created #${name} · c begins a topic`;
      });
    },
  });
}

/** Says how it went. */
function tell(app: App, body: () => Promise<string>): void {
  body().then(
    (said) => app.toast(said),
    (error: unknown) =>
      app.toast(
        isApiFailure(error) ? sentence(error) : error instanceof Error ? error.message : String(error),
        'error',
      ),
  );
}
