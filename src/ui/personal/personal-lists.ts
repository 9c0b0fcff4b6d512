import type {MutedUserAction} from '#state/actions/message-flags.ts';
import {saveSnippet} from '#state/actions/messages.ts';
import {distinctUserName, sortedByName, userName} from '#state/selectors/names/names.ts';
import type {AccountState, Snippet} from '#state/state.ts';
import {printableLine} from '#std/printable.ts';
import {requestFromServer, undoOffer} from '#ui/actions/server-request.ts';
import {changeMessageText} from '#ui/composer/change-composer.ts';
import type {App} from '#ui/core/app.ts';
import {type Form, formField} from '#ui/core/form.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ToastMessage} from '#ui/core/toast-message.ts';
import {countedNoun} from '#ui/format/counted-noun.ts';
import {momentText} from '#ui/format/moment-text.ts';
import {openForm} from '#ui/forms/open-form.ts';
import {openRecordList, type RecordAction, type RecordRow, recordAction} from '#ui/forms/record-list.ts';
import {openUserCard} from '#ui/people/user-card.ts';
import {insert} from '#ui/text/text-field.ts';
import {performAllUndoable, performUndoable} from '#ui/undo/perform-undoable.ts';
import {featureProblem} from '#wire/server-features.ts';

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
      recordAction('Enter', 'profile', {isReadOnly: true, run: (from, {key}) => openUserCard(from, Number(key))}),
      recordAction('Delete', 'unmute', {
        run: (from, {key, label}) => {
          performUndoable(from, {kind: 'mutedUser', userId: Number(key), isMuted: false}, `Unmuted ${label}`);
        },
      }),
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
      recordAction('Delete', 'remove', {
        run: (from, {key}) => {
          performUndoable(from, {kind: 'alertWords', op: 'remove', words: [key]}, `Removed the alert word “${key}”`);
        },
      }),
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

const maxTitleLength = 60;

/** Returns why the server has no saved snippets. */
export function snippetProblem({server}: AccountState): string | undefined {
  return featureProblem(server.level, 'savedSnippets');
}

/** Opens the list of saved snippets. From the composer, Enter inserts one; elsewhere it edits it. */
export function openSnippetList(app: App): void {
  const {composer, focus} = app.screen;
  const isComposing = composer.isOpen && focus === 'composer';
  const text = isComposing ? composer.field.text : '';
  const edit: RecordAction = recordAction(isComposing ? 'Ctrl-E' : 'Enter', 'edit', {
    disabledReason: (_row, {account}) => featureProblem(account.server.level, 'editSnippets'),
    run: (from, {key}) => openSnippetForm(from, Number(key)),
  });
  const insertAction: RecordAction = recordAction('Enter', 'insert', {
    isReadOnly: true,
    run: (from, {key}) => {
      const snippet = from.state.snippets.get(Number(key));
      from.closeOverlay();
      if (snippet !== undefined) changeMessageText(from, (field) => insert(field, snippet.content));
    },
  });
  openRecordList(app, {
    id: 'snippets',
    title: 'Saved snippets',
    placeholder: 'title or text',
    empty: 'No snippets: texts that you write often',
    rows: snippetRows,
    add: {
      label: text.trim() === '' ? 'New snippet…' : 'Save the text as a snippet…',
      disabledReason: ({account}) => snippetProblem(account),
      run: (from) => openNewSnippetForm(from, text),
    },
    actions: [
      ...(isComposing ? [insertAction] : []),
      edit,
      recordAction('Delete', 'delete', {run: (from, {key}) => removeSnippet(from, Number(key))}),
    ],
  });
}

function snippetRows({account}: Frame): readonly RecordRow[] {
  return [...account.snippets.values()]
    .toSorted((a, b) => a.title.localeCompare(b.title))
    .map(({id, title, content}) => ({key: String(id), label: title, detail: printableLine(content)}));
}

type SnippetValues = {title: string; content: string};

function snippetForm(
  parts: Pick<Form<SnippetValues>, 'id' | 'title' | 'initial' | 'save' | 'isNew' | 'saveLabel'>,
): Form<SnippetValues> {
  return {
    ...parts,
    columns: 76,
    fields: ({account}) => [
      formField('text', 'title', 'Title', {isRequired: true, maxLength: maxTitleLength}),
      formField('text', 'content', 'Text', {
        isMultiline: true,
        isRequired: true,
        maxLength: account.server.maxMessageLength,
      }),
    ],
  };
}

function openNewSnippetForm(app: App, content: string): void {
  const form = snippetForm({
    id: 'new snippet',
    title: 'New snippet',
    isNew: true,
    saveLabel: 'Save the snippet',
    initial: () => ({title: '', content}),
    save: async (from, _changes, {title, content: text}) => {
      const {context} = from.session;
      const id = await saveSnippet(context, title, text);
      return offerUndo(
        from,
        `Saved the snippet “${title}”`,
        () => context.api.deleteSnippet({saved_snippet_id: id}),
        `Deleted “${title}”`,
      );
    },
  });
  openForm(app, form);
}

function openSnippetForm(app: App, id: number): void {
  const form = snippetForm({
    id: `snippet ${id}`,
    title: 'Edit the snippet',
    initial: ({account}) => {
      const {title = '', content = ''} = account.snippets.get(id) ?? {};
      return {title, content};
    },
    save: async (from, changes, {title}, before) => {
      const {context} = from.session;
      await context.api.editSnippet({saved_snippet_id: id, ...changes});
      const undo = () => context.api.editSnippet({saved_snippet_id: id, ...before});
      return offerUndo(from, `Changed the snippet “${title}”`, undo, `Restored “${before.title}”`);
    },
  });
  openForm(app, form);
}

function removeSnippet(app: App, id: number): void {
  const snippet: Snippet | undefined = app.state.snippets.get(id);
  if (snippet === undefined) return;
  const {context} = app.session;
  const {title, content} = snippet;
  requestFromServer(app, {
    send: () => context.api.deleteSnippet({saved_snippet_id: id}),
    doneText: () => {
      return undoOffer(app, {
        ...undoTexts,
        label: `Deleted the snippet “${title}”`,
        undo: () => saveSnippet(context, title, content),
        redo: (newId) => context.api.deleteSnippet({saved_snippet_id: newId}),
        undoneText: `Saved “${title}” again`,
      });
    },
    failureText: `“${title}” was not deleted`,
  });
}

function offerUndo(app: App, label: string, undo: () => Promise<unknown>, undoneText: string): ToastMessage {
  return undoOffer(app, {...undoTexts, label, undo, undoneText});
}

const undoTexts = {undoingText: 'Undoing…', failureText: 'Not undone'} as const;
