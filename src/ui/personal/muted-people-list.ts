import type {MutedUserAction} from '#state/actions/muted-users.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {distinctUserName, userName} from '#state/selectors/names/names.ts';
import type {App} from '#ui/core/app.ts';
import type {Form} from '#ui/core/form.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList} from '#ui/forms/record-list.ts';
import {openUserCard} from '#ui/people/user-card.ts';
import {performAllUndoable, performUndoable} from '#ui/undo/perform-undoable.ts';

/** Opens the list of muted people, to mute and unmute them. */
export function openMutedPeopleList(app: App): void {
  openRecordList(app, {
    id: 'muted people',
    title: 'Muted people',
    placeholder: 'find a person',
    empty: 'Nobody: messages of muted people are hidden and read',
    rows: (frame) => {
      const {account} = frame;
      const muted = [...account.mutedUsers.values()];
      return sortedByName(muted, ({id}) => userName(account, id)).map(({id, timestamp}) => ({
        key: String(id),
        label: distinctUserName(account, id),
        detail: `since ${momentText(frame, timestamp * 1000)}`,
      }));
    },
    add: {label: 'Mute people…', run: openMuteForm},
    actions: [
      {key: 'Enter', hint: 'profile', isReadOnly: true, run: (from, {key}) => openUserCard(from, Number(key))},
      {
        key: 'Delete',
        hint: 'unmute',
        run: (from, {key, label}) => {
          performUndoable(from, {kind: 'mutedUser', userId: Number(key), isMuted: false}, `Unmuted ${label}`);
        },
      },
    ],
  });
}

function openMuteForm(app: App): void {
  const form: Form<{userIds: readonly number[]}> = {
    id: 'mute people',
    title: 'Mute people',
    saveLabel: 'Mute',
    initial: () => ({userIds: []}),
    fields: () => [
      {
        kind: 'people',
        key: 'userIds',
        label: 'People',
        help: 'Their messages are hidden and marked read. They are not told.',
        emptyText: 'nobody yet: type a name',
        isOffered: (id, {account}) => id !== account.self.userId && !account.mutedUsers.has(id),
      },
    ],
    save: async (from, {userIds = []}) => {
      const actions = userIds.map((userId): MutedUserAction => ({kind: 'mutedUser', userId, isMuted: true}));
      const [only = 0, ...others] = userIds;
      const whom = others.length === 0 ? userName(from.state, only) : `${userIds.length} people`;
      performAllUndoable(from, actions, `Muted ${whom}`);
      return undefined;
    },
  };
  openForm(app, form);
}
