import {removeEmoji} from '#state/actions/organization.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {userName} from '#state/selectors/names/names.ts';
import {isAdministrator} from '#state/selectors/permissions/permission.ts';
import {requestFromServer} from '#ui/actions/server-request.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {openRecordList, type RecordRow} from '#ui/forms/record-list.ts';
import {addEmojiReason, openEmojiForm} from './emoji-form.ts';

/** Opens the list of custom emoji, to add them and to remove one's own; administrators remove all. */
export function openEmojiList(app: App): void {
  openRecordList(app, {
    id: 'custom emoji',
    title: 'Custom emoji',
    empty: 'No custom emoji',
    rows: ({account}) => {
      const active = [...account.emoji.values()].filter(({deactivated}) => !deactivated);
      return sortedByName(active, ({name}) => name).map(
        ({id, name, authorId}): RecordRow => ({
          key: id,
          label: `:${name}:`,
          detail: typeof authorId === 'number' ? `by ${userName(account, authorId)}` : undefined,
        }),
      );
    },
    add: {label: 'New emoji…', disabledReason: addEmojiReason, run: openEmojiForm},
    actions: [
      {
        key: 'Delete',
        hint: 'remove',
        disabledReason: ({key}, frame) => removeReason(frame, key),
        confirm: ({label}) => ({
          title: `Remove the emoji ${label}?`,
          yes: 'Remove',
          detail: 'for ever; messages that have it keep it',
        }),
        run: (from, {label}) =>
          requestFromServer(from, {
            send: () => removeEmoji(from.session.context, label.slice(1, -1)),
            doneText: () => `Removed the emoji ${label}`,
            failureText: `${label} was not removed`,
          }),
      },
    ],
  });
}

function removeReason({account}: Frame, id: string): string | undefined {
  const isOwn = account.emoji.get(id)?.authorId === account.self.userId;
  return isOwn || isAdministrator(account) ? undefined : 'Only administrators and who added it can remove an emoji';
}
