import type {MutedUserAction} from '#state/actions/muted-users.ts';
import {sortedByName} from '#state/selectors/names/compare-names.ts';
import {distinctUserName, userName} from '#state/selectors/names/names.ts';
import type {App} from '#ui/core/app.ts';
import {formField} from '#ui/core/form.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
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
  openForm<{userIds: readonly number[]}>(app, {
    id: 'mute people',
    title: 'Mute people',
    saveLabel: 'Mute',
    initial: () => ({userIds: []}),
    fields: () => [
      formField('people', 'userIds', 'People', {
        help: 'Their messages are hidden and marked read. They are not told.',
        emptyText: 'nobody yet: type a name',
        isOffered: (id, {account}) => id !== account.self.userId && !account.mutedUsers.has(id),
      }),
    ],
    save: async (from, {userIds = []}) => {
      const actions = userIds.map((userId): MutedUserAction => ({kind: 'mutedUser', userId, isMuted: true}));
      const [only = 0, ...others] = userIds;
      const whom = others.length === 0 ? userName(from.state, only) : `${userIds.length} people`;
      performAllUndoable(from, actions, `Muted ${whom}`);
      return undefined;
    },
  });
}

const maxWordLength = 100;

/** Opens the list of words that are highlighted in messages, to add and remove them. */
export function openAlertWordsList(app: App): void {
  openRecordList(app, {
    id: 'alert words',
    title: 'Alert words',
    placeholder: 'find a word',
    empty: 'No alert words: messages with one are highlighted, and notify you',
    rows: ({account}) =>
      account.alertWords.toSorted((a, b) => a.localeCompare(b)).map((word) => ({key: word, label: word})),
    add: {label: 'Add words…', run: openAddForm},
    actions: [
      {
        key: 'Delete',
        hint: 'remove',
        run: (from, {key}) => {
          performUndoable(from, {kind: 'alertWords', op: 'remove', words: [key]}, `Removed the alert word “${key}”`);
        },
      },
    ],
  });
}

function wordsIn(text: string): readonly string[] {
  const words = text.split(/[,\n]/).map((word) => word.trim());
  return [...new Set(words.filter((word) => word !== ''))];
}

function openAddForm(app: App): void {
  openForm<{words: string}>(app, {
    id: 'add alert words',
    title: 'Add alert words',
    isNew: true,
    saveLabel: 'Add',
    initial: () => ({words: ''}),
    fields: () => [
      formField('text', 'words', 'Words', {
        isMultiline: true,
        isRequired: true,
        help: 'Several words or phrases: one on each line, or separated by commas.',
        validate: (text) => {
          const tooLong = wordsIn(text).find((word) => [...word].length > maxWordLength);
          return tooLong === undefined
            ? undefined
            : `A word may have ${maxWordLength} characters: “${tooLong.slice(0, 20)}…”`;
        },
      }),
    ],
    save: async (from, {words: text = ''}) => {
      const words = wordsIn(text);
      const [only = '', ...others] = words;
      const what = others.length === 0 ? `the alert word “${only}”` : countedNoun(words.length, 'alert word');
      const isAdded = performUndoable(from, {kind: 'alertWords', op: 'add', words}, `Added ${what}`);
      return isAdded ? undefined : 'All of these are alert words already';
    },
  });
}
