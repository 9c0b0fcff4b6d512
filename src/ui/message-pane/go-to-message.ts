import {conversationOf} from '#state/messages/loaded-messages.ts';
import type {Message} from '#state/model/message.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import {firstUnreadId} from '#state/selectors/timeline.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {changeTimeline, openConversation, openNarrow, openView} from '#ui/navigation/navigation.ts';
import {openPicker} from '#ui/overlays/picker.ts';

/** Opens a link to a message or conversation of this organization. Returns false for other links. */
export function openMessageLink(app: App, link: string): boolean {
  const destination = parseDestination(app.state, link);
  if (destination.kind === 'problem') return false;
  if (destination.kind === 'conversation') openConversation(app, destination.conversation);
  else openNarrow(app, destination.narrow);
  return true;
}

export function openMessageLinkPicker(app: App): void {
  openPicker(app, {
    id: 'message_link',
    title: 'Go to message',
    placeholder: 'paste a link',
    rows: ({account}, query) => linkRows(account, query.trim()),
    accept: (target, {key}) => {
      target.closeOverlay();
      openMessageLink(target, key);
    },
  });
}

function linkRows(account: AccountState, link: string): readonly PickerRow[] {
  if (link === '') return [];
  const destination = parseDestination(account, link);
  if (destination.kind === 'problem') return [{key: link, label: destination.problem, disabled: destination.problem}];
  const conversation =
    destination.kind === 'conversation' ? destination.conversation : conversationOfNarrow(destination.narrow);
  const title = conversation === undefined ? link : conversationTitle(account, conversation);
  return [{key: link, label: title, detail: 'Enter opens it'}];
}

/** Moves to the oldest unread message of the view. */
export function goToFirstUnread(app: App): void {
  const {view} = app.screen;
  if (view.kind !== 'messages') return;
  const id = firstUnreadId(app.state, view.narrow);
  if (id === undefined) app.toast('No unread messages here');
  else openView(app, view, {anchor: id});
}

/** Opens the message's conversation at the message, without marking it read. */
export function showInConversation(app: App, message: Message): void {
  openConversation(app, conversationOf(message), {anchor: message.id});
  changeTimeline(app, app.screen.view, (state) => ({...state, isPeek: true}));
}
