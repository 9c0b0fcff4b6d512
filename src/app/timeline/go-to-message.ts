import type {App} from '#app/core/app.ts';
import type {PickerRow} from '#app/core/overlay.ts';
import {openConversation, openNarrow} from '#app/navigation/navigation.ts';
import {openPicker} from '#app/overlays/picker.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {AccountState} from '#state/state.ts';

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
  if (destination.kind === 'problem')
    return [{key: link, label: destination.problem, disabled: destination.problem}];
  const conversation =
    destination.kind === 'conversation' ? destination.conversation : conversationOfNarrow(destination.narrow);
  const title = conversation === undefined ? link : conversationTitle(account, conversation);
  return [{key: link, label: title, detail: 'Enter opens it'}];
}
