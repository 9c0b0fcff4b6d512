import type {Conversation} from '#state/model/conversation.ts';
import {conversationTitle} from '#state/selectors/names/names.ts';
import {parseDestination} from '#state/selectors/search/parse-destination.ts';
import type {App} from '#ui/core/app.ts';
import type {PickerRow} from '#ui/core/overlay.ts';
import {conversationColor} from '#ui/format/channel-color.ts';
import {visitedConversations} from '#ui/navigation/visited-conversations.ts';
import {openPicker} from '#ui/overlays/picker.ts';
import {omnibox} from '#ui/search/omnibox.ts';
import {latinText} from '#ui/text/latin-keyboard.ts';

/** Opens a picker of conversations by name; `#channel>topic` also accepts a new topic. */
export function openDestinationPicker(
  app: App,
  title: string,
  chosen: (app: App, conversation: Conversation) => void,
): void {
  const conversations = new WeakMap<PickerRow, Conversation>();
  openPicker(app, {
    id: 'destination',
    title,
    placeholder: '#channel>topic, or a name',
    rowsShown: 12,
    rows: ({account, screen}, query) => {
      const sources = {
        commands: [],
        help: [],
        accounts: [],
        visits: visitedConversations(screen),
        remap: latinText,
      };
      const known = omnibox(account, query, sources).rows.flatMap(({target, title: label, ranges, detail}) => {
        if (target.kind !== 'conversation') return [];
        const tint = conversationColor(account, target.conversation);
        const row: PickerRow = {key: label, label, detail, matched: ranges, tint};
        conversations.set(row, target.conversation);
        return [row];
      });
      const written = query.includes('>') ? parseDestination(account, query) : undefined;
      if (written?.kind !== 'conversation') return known;
      const label = conversationTitle(account, written.conversation);
      if (known.some((row) => row.label === label)) return known;
      const tint = conversationColor(account, written.conversation);
      const own: PickerRow = {key: 'written', label, detail: 'new topic', tint};
      conversations.set(own, written.conversation);
      return [own, ...known];
    },
    accept: (opened, row) => {
      const conversation = conversations.get(row);
      if (conversation === undefined) return;
      opened.closeOverlay();
      chosen(opened, conversation);
    },
    hint: 'Enter choose · Esc close',
  });
}
