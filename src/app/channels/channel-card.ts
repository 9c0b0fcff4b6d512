import type {App} from '#app/core/app.ts';
import {copyText} from '#app/core/copy-text.ts';
import {openNarrow, openView} from '#app/navigation/navigation.ts';
import {openCard} from '#app/overlays/cards.ts';
import {ignoreFailure} from '#app/requests/ignore-failure.ts';
import {failureReason} from '#app/requests/server-request.ts';
import {performAllUndoable} from '#app/undo/perform-undoable.ts';
import {fetchChannelEmail} from '#state/actions/channels.ts';
import {channelNarrow} from '#state/model/narrow.ts';
import {channelName} from '#state/selectors/names/names.ts';
import {isSubscribed} from '#state/selectors/permissions/channel-permissions.ts';
import {composed} from '#std/composed-text.ts';
import type {Key} from '#terminal/input/key.ts';
import {channelCardLines, channelSwitches, switchState} from '#ui/channels/channel-card-lines.ts';
import {toggleSubscribed} from './channel-actions.ts';
import {openChannelForm, openSubscriptionForm, undoText} from './channel-form.ts';
import {addPeopleProblem, openAddPeopleForm, openMemberList} from './member-list.ts';

/** Opens a channel's card. */
export function openChannelCard(app: App, channelId: number): void {
  ignoreFailure(app.session.fetchSubscribers(channelId));
  openCard(app, {
    id: 'channel',
    title: 'Channel',
    columns: 72,
    hint: {Esc: 'closes'},
    lines: (frame, width) => channelCardLines(frame, width, channelId),
    onKey: (from, key) => pressOnChannel(from, channelId, key),
  });
}

const channelActions: Readonly<Record<string, (app: App, channelId: number) => void>> = {
  Enter: (app, channelId) => {
    app.closeOverlay();
    openNarrow(app, channelNarrow(channelId));
  },
  t: (app, channelId) => {
    app.closeOverlay();
    openView(app, {kind: 'topics', channelId});
  },
  M: openMemberList,
  A: (app, channelId) => {
    if (!app.warn(addPeopleProblem(app, [channelId]))) openAddPeopleForm(app, [channelId]);
  },
  C: copyChannelEmail,
  E: openChannelForm,
  N: openSubscriptionForm,
  S: (app, channelId) => toggleSubscribed(app, [channelId]),
};

function pressOnChannel(app: App, channelId: number, {name, ctrl, alt}: Key): boolean {
  if (ctrl === true || alt === true || !app.state.channels.has(channelId)) return false;
  const action = channelActions[name];
  action?.(app, channelId);
  return action !== undefined || flipSwitch(app, channelId, name);
}

function flipSwitch(app: App, channelId: number, name: string): boolean {
  const flipped = channelSwitches.find(({key}) => key === name);
  const own = app.state.subscriptions.get(channelId);
  if (flipped === undefined || own === undefined || !isSubscribed(app.state, channelId)) return false;
  const value = !switchState(app.state, own, flipped).isOn;
  const label = composed`#${channelName(app.state, channelId)}: ${flipped.title.toLowerCase()} ${value ? 'on' : 'off'}`;
  const action = {kind: 'subscription', channelId, setting: flipped.setting, value} as const;
  performAllUndoable(app, [action], label, undoText(app.frame, channelId, {[flipped.setting]: value}));
  return true;
}

/** Copies the address to which emails become messages of the channel. */
export function copyChannelEmail(app: App, channelId: number): void {
  const name = channelName(app.state, channelId);
  fetchChannelEmail(app.session.context, channelId).then(
    (email) => copyText(app, email, email),
    (error: unknown) => {
      const reason = failureReason(error);
      if (reason !== undefined) app.toast(composed`No email address of #${name}: ${reason}`, 'error');
    },
  );
}
