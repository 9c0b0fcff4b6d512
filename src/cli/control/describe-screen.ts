import type {App} from '#app/core/app.ts';
import {type ActionTarget, actionTargets} from '#app/targets/action-target.ts';
import {appsOfSelection} from '#app/targets/selection.ts';
import {conversationJson, messageJson, messageTextOptions} from '#cli/messages/message-text.ts';
import {inputMode} from '#commands/keymap.ts';
import {overlayTitle} from '#commands/palette.ts';
import type {Message} from '#state/model/message.ts';
import {channelName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {withoutIsolates} from '#std/composed-text.ts';
import type {Frame, View} from '#ui/core/frame.ts';
import {shownOtherPane} from '#ui/layout/layout.ts';
import {selectedMessage} from '#ui/message-pane/selected-message.ts';
import {savedViewTitle} from '#ui/search/sidebar-views.ts';

/** Returns the message as `parley read --json` prints it. */
export function describeMessage(state: AccountState, message: Message, now: number) {
  return messageJson(state, message, state.unreads.byId.has(message.id), messageTextOptions(state, now));
}

/** Returns the account's view and what is selected in it, for other programs. */
export function describeScreen(app: App) {
  const {frame, screen, state, info} = app;
  const message = selectedMessage(app);
  const top = screen.overlays.at(-1);
  const paneOrganization = frame.organizations?.all[screen.otherPane?.organization ?? -1];
  return {
    account: info.accountName,
    organization: state.realm.name ?? '',
    view: describeView(frame, screen.view),
    /** The view beside or below it, and whether it is on the screen. */
    otherPane:
      screen.otherPane === undefined
        ? null
        : {
            account: paneOrganization?.name ?? info.accountName,
            view: describeView(paneOrganization?.frame ?? frame, screen.otherPane.view),
            isShown: shownOtherPane(screen) !== undefined,
          },
    /** What keys do now: NAV, WRITE, NORMAL or PICK. */
    mode: inputMode(screen),
    overlay: top === undefined ? null : withoutIsolates(overlayTitle(app, top)),
    /** The selected message, if messages are shown. */
    message: message === undefined ? null : describeMessage(state, message, app.clock.now()),
    /** What keys such as “mark done” act on. */
    selection: appsOfSelection(app).flatMap((each) =>
      actionTargets(each).map((target) => ({
        ...(each !== app && {account: each.info.accountName}),
        ...describeTarget(each.state, target),
      })),
    ),
  };
}

function describeView(frame: Frame, view: View) {
  return {kind: view.kind, title: withoutIsolates(savedViewTitle(frame, view))};
}

function describeTarget(state: AccountState, target: ActionTarget) {
  if (target.kind === 'conversation') return conversationJson(state, target.conversation);
  const {channelId} = target;
  return {kind: 'channel' as const, channelId, channel: channelName(state, channelId)};
}
