import type {App} from '#ui/core/app.ts';
import type {Form} from '#ui/core/form.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList} from '#ui/forms/record-list.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';

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
  const form: Form<{words: string}> = {
    id: 'add alert words',
    title: 'Add alert words',
    isNew: true,
    saveLabel: 'Add',
    initial: () => ({words: ''}),
    fields: () => [
      {
        kind: 'text',
        key: 'words',
        label: 'Words',
        isMultiline: true,
        isRequired: true,
        help: 'Several words or phrases: one on each line, or separated by commas.',
        validate: (text) => {
          const tooLong = wordsIn(text).find((word) => [...word].length > maxWordLength);
          return tooLong === undefined
            ? undefined
            : `A word may have ${maxWordLength} characters: “${tooLong.slice(0, 20)}…”`;
        },
      },
    ],
    save: async (from, {words: text = ''}) => {
      const words = wordsIn(text);
      const [only = '', ...others] = words;
      const what = others.length === 0 ? `the alert word “${only}”` : countedNoun(words.length, 'alert word');
      const isAdded = performUndoable(from, {kind: 'alertWords', op: 'add', words}, `Added ${what}`);
      return isAdded ? undefined : 'All of these are alert words already';
    },
  };
  openForm(app, form);
}
