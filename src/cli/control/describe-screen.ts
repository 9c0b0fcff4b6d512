import {conversationJson, messageJson} from '#cli/messages/message-json.ts';
import {messageTextOptions} from '#cli/messages/message-text.ts';
import {inputMode} from '#commands/keymap.ts';
import {overlayTitle} from '#commands/run-by-id.ts';
import type {Message} from '#state/model/message.ts';
import {channelName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {type ActionTarget, actionTargets} from '#ui/actions/action-target.ts';
import type {App} from '#ui/core/app.ts';
import {viewTitle} from '#ui/format/view-title.ts';
import {selectedMessage} from '#ui/message-pane/selection.ts';

/** Returns the message as `parley read --json` prints it. */
export function describeMessage(state: AccountState, message: Message, now: number) {
  return messageJson(state, message, state.unreads.byId.has(message.id), messageTextOptions(state, now));
}

/** Returns the account's view and what is selected in it, for other programs. */
export function describeScreen(app: App) {
  const {frame, screen, state, info} = app;
  const message = selectedMessage(app);
  const top = screen.overlays.at(-1);
  return {
    account: info.accountName,
    organization: state.realm.name ?? '',
    view: {kind: screen.view.kind, title: viewTitle(frame, screen.view)},
    /** What keys do now: NAV, WRITE, NORMAL or PICK. */
    mode: inputMode(screen),
    overlay: top === undefined ? null : overlayTitle(top),
    /** The selected message, if messages are shown. */
    message: message === undefined ? null : describeMessage(state, message, app.clock.now()),
    /** What keys such as “mark done” act on. */
    selection: actionTargets(app).map((target) => describeTarget(state, target)),
  };
}

function describeTarget(state: AccountState, target: ActionTarget) {
  if (target.kind === 'conversation') return conversationJson(state, target.conversation);
  const {channelId} = target;
  return {kind: 'channel' as const, channelId, channel: channelName(state, channelId)};
}
